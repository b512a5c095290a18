import type { ReactNode } from "react";
import type { KernelReport } from "../../../../kernels/devices.ts";
import { formatBytes, formatCount, formatMilliseconds, NONE } from "../../../lib/format.ts";
import { replaceRoute } from "../../../routes/navigation.ts";
import type { RunRoute } from "../../../routes/route.ts";
import { millisecondsPerRun, shareOfTime, slotRanges } from "./useKernels.ts";

const TARGETS: Readonly<Record<KernelReport["target"], string>> = {
  wasm: "WebAssembly",
  webgpu: "WebGPU",
  onnx: "ONNX Runtime",
};

/** A column: its header, an optional tooltip, and the cell of a program. */
interface Column {
  readonly head: string;
  readonly hint?: string;
  readonly text?: boolean;
  readonly cell: (program: KernelReport, programs: readonly KernelReport[]) => ReactNode;
}

const COLUMNS: readonly Column[] = [
  { head: "Target", text: true, cell: ({ target }) => TARGETS[target] },
  {
    head: "Members",
    hint: "Slots that used the program in this or the previous generation",
    cell: ({ members }) => slotRanges(members) || NONE,
  },
  {
    head: "Code",
    cell: ({ code_bytes, compile_ms }) => (compile_ms === null ? NONE : formatBytes(code_bytes)),
  },
  { head: "Compiled in", hint: "Each compute worker compiles its own copy", cell: compiledIn },
  {
    head: "Runs",
    hint: "On WebAssembly, one run per member; on WebGPU, one run for all members with the same structure",
    cell: ({ runs }) => formatCount(runs),
  },
  { head: "Time", hint: "Total time of the runs measured so far", cell: timeOf },
  {
    head: "Per run",
    cell: (program) => {
      const ms = millisecondsPerRun(program);
      return ms === null ? NONE : formatMilliseconds(ms);
    },
  },
  {
    head: "Share",
    hint: "Share of the total time of all programs",
    cell: (program, programs) => {
      const share = shareOfTime(program, programs);
      return share === null ? NONE : `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
    },
  },
  {
    head: "Structure",
    hint: "Agents that differ only in layer widths share a program",
    text: true,
    cell: ({ structures }) =>
      structures.length === 0
        ? "any"
        : structures.map((structure) => (
            <div key={structure} className="mono">
              {structure}
            </div>
          )),
  },
];

function compiledIn({ compile_ms, copies }: KernelReport): string {
  if (compile_ms === null) return "compiling…";
  return copies === 1
    ? formatMilliseconds(compile_ms)
    : `${formatMilliseconds(compile_ms)} in ${copies} workers`;
}

function timeOf({ time_ms, timed_runs }: KernelReport): string {
  if (time_ms === null) return "not measured";
  return timed_runs === 0 ? NONE : formatMilliseconds(time_ms);
}

interface Props {
  readonly programs: readonly KernelReport[];
  readonly open: KernelReport;
  readonly route: RunRoute;
}

/** A table of all programs, in which one is selected to show its code. */
export function ProgramTable({ programs, open, route }: Props) {
  return (
    <>
      <div className="table-scroll">
        <table className="table programs">
          <thead>
            <tr>
              <th scope="col">Program</th>
              {COLUMNS.map(({ head, hint, text }) => (
                <th key={head} scope="col" className={text ? undefined : "number"} title={hint}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {programs.map((program) => (
              <tr key={program.id}>
                <th scope="row">
                  <button
                    type="button"
                    className="programs__name"
                    aria-pressed={program.id === open.id}
                    onClick={() => replaceRoute({ ...route, program: program.id })}
                  >
                    {program.name}
                  </button>
                </th>
                {COLUMNS.map(({ head, text, cell }) => (
                  <td key={head} className={text ? "programs__text" : "number"}>
                    {cell(program, programs)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {programs.some(({ time_ms }) => time_ms === null) && (
        <p className="programs__note">
          Times are not measured: this adapter does not support <code>timestamp-query</code>.
        </p>
      )}
    </>
  );
}
