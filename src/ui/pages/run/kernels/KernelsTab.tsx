import { useStore } from "zustand";
import type { KernelReport } from "../../../../kernels/devices.ts";
import type { RunStatus } from "../../../../workers/protocol.ts";
import { Panel } from "../../../components/Panel.tsx";
import { formatBytes, formatMilliseconds, formatThings } from "../../../lib/format.ts";
import type { RunRoute } from "../../../routes/route.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useRunRoute } from "../shownGeneration.tsx";
import { ProgramCode } from "./ProgramCode.tsx";
import { ProgramTable } from "./ProgramTable.tsx";
import { byName, largest, useKernels } from "./useKernels.ts";
import "./KernelsTab.css";

/** The programs compiled for a run, with their sizes, times and code. */
export function KernelsTab({ session }: { readonly session: RunView }) {
  const { summary } = useStore(session.view);
  const route = useRunRoute();
  return summary === null ? null : <Programs route={route} state={summary.state} />;
}

function Programs({ route, state }: { readonly route: RunRoute; readonly state: RunStatus }) {
  const { reports, problem } = useKernels(route.id, state);
  const programs = byName(reports ?? []);
  const open = programs.find(({ id }) => id === route.program) ?? largest(programs);
  return (
    <>
      {problem !== null && (
        <div className="callout callout--error" role="alert">
          <p>{problem}</p>
        </div>
      )}
      <Panel
        title="Programs"
        head={<>{programs.length > 0 && <span className="quiet">{sumOf(programs)}</span>}</>}
      >
        {open === undefined ? (
          <output className="empty">{textOf(reports, state)}</output>
        ) : (
          <ProgramTable programs={programs} open={open} route={route} />
        )}
      </Panel>
      {open !== undefined && <ProgramCode key={open.id} program={open} />}
    </>
  );
}

/** A one-line summary of all programs. */
function sumOf(programs: readonly KernelReport[]): string {
  const bytes = programs.reduce((sum, { code_bytes }) => sum + code_bytes, 0);
  const ms = programs.reduce((sum, { compile_ms }) => sum + (compile_ms ?? 0), 0);
  return `${formatThings(programs.length, "program")}, ${formatBytes(bytes)} of code, compiled in ${formatMilliseconds(ms)}`;
}

/** The text shown instead of an empty table. */
function textOf(reports: readonly unknown[] | null | undefined, state: RunStatus): string {
  if (reports === undefined) return "Loading…";
  if (reports !== null) return "Nothing is compiled yet. Programs appear when this run begins a generation.";
  const act = state === "finished" ? "Start another run" : "Resume it";
  return `This run is not training, so no programs are compiled. ${act} to see them here.`;
}
