import type { KernelReport } from "../../../../kernels/devices.ts";
import { type Column, Table } from "../../../components/Table.tsx";
import { formatBytes, formatCount, formatMilliseconds, NONE } from "../../../lib/format.ts";
import { replaceRoute } from "../../../routes/navigation.ts";
import type { RunRoute } from "../../../routes/route.ts";
import { millisecondsPerRun, shareOfTime, slotRanges } from "./useKernels.ts";

const TARGETS: Readonly<Record<KernelReport["target"], string>> = {
  wasm: "WebAssembly",
  webgpu: "WebGPU",
  onnx: "ONNX Runtime",
};

const TEXT = () => "programs__text";

const columnsOf = (programs: readonly KernelReport[]): readonly Column<KernelReport>[] => [
  { head: "Target", classOf: TEXT, cell: ({ target }) => TARGETS[target] },
  {
    head: "Members",
    number: true,
    hint: "Slots that used the program in this or the previous generation",
    cell: ({ members }) => slotRanges(members) || NONE,
  },
  {
    head: "Code",
    number: true,
    cell: ({ code_bytes, compile_ms }) => (compile_ms === null ? NONE : formatBytes(code_bytes)),
  },
  { head: "Compiled in", number: true, hint: "Each compute worker compiles its own copy", cell: compiledIn },
  {
    head: "Runs",
    number: true,
    hint: "On WebAssembly, one run per member; on WebGPU, one run for all members with the same structure",
    cell: ({ runs }) => formatCount(runs),
  },
  { head: "Time", number: true, hint: "Total time of the runs measured so far", cell: timeOf },
  {
    head: "Per run",
    number: true,
    cell: (program) => {
      const ms = millisecondsPerRun(program);
      return ms === null ? NONE : formatMilliseconds(ms);
    },
  },
  {
    head: "Share",
    number: true,
    hint: "Share of the total time of all programs",
    cell: (program) => {
      const share = shareOfTime(program, programs);
      return share === null ? NONE : `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
    },
  },
  {
    head: "Structure",
    hint: "Agents that differ only in layer widths share a program",
    classOf: TEXT,
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
      <Table
        className="programs"
        columns={[
          {
            head: "Program",
            cell: ({ id, name }) => (
              <button
                type="button"
                className="table__choice hovers programs__name"
                aria-pressed={id === open.id}
                onClick={() => replaceRoute({ ...route, program: id })}
              >
                {name}
              </button>
            ),
          },
          ...columnsOf(programs),
        ]}
        rows={programs}
        keyOf={({ id }) => id}
      />
      {programs.some(({ time_ms }) => time_ms === null) && (
        <p className="panel__text rule-above">
          Times are not measured: this adapter does not support <code>timestamp-query</code>.
        </p>
      )}
    </>
  );
}
