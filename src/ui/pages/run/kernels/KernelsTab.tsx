import { useMemo, useState } from "react";
import { useStore } from "zustand";
import type { KernelReport } from "../../../../kernels/devices.ts";
import type { RunStatus } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { formatBytes, formatCount, formatMilliseconds, formatThings } from "../../../lib/format.ts";
import type { RunRoute } from "../../../routes/route.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { useRunRoute } from "../shownGeneration.tsx";
import { ProgramTable } from "./ProgramTable.tsx";
import { byName, countedNames, largest, useKernels } from "./useKernels.ts";
import "./KernelsTab.css";

/** The source of a shader, with line numbers that are not copied with it. */
function SourceText({ source }: { readonly source: string }) {
  const workbench = useWorkbench();
  const [copied, setCopied] = useState(false);
  const lines = useMemo(() => source.trimEnd().split("\n").length, [source]);
  const numbers = useMemo(() => Array.from({ length: lines }, (_, i) => i + 1).join("\n"), [lines]);
  const copy = async (): Promise<void> => {
    setCopied(await workbench.attempt(() => navigator.clipboard.writeText(source)));
  };
  return (
    <div className="source">
      <div className="row source__head">
        <h3>WGSL</h3>
        <span className="quiet">
          {formatCount(lines)} lines, {formatBytes(source.length)}
        </span>
        <output className="quiet" aria-live="polite">
          {copied && "Copied"}
        </output>
        <Button small onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scroll regions need keyboard focus */}
      <section className="source__scroll framed small sunken" aria-label="WGSL source" tabIndex={0}>
        <pre className="source__numbers" aria-hidden="true">
          {numbers}
        </pre>
        <pre>
          <code>{source}</code>
        </pre>
      </section>
    </div>
  );
}

/** The code of one program: the names of its kernels, and its source if it is text. */
function ProgramCode({ program }: { readonly program: KernelReport }) {
  const { name, target, kernels, source, code_bytes, compile_ms } = program;
  const names = countedNames(kernels);
  return (
    <section className="panel" aria-label={`Code of ${name}`}>
      <div className="row panel__head">
        <h2>
          <code>{name}</code>
        </h2>
      </div>
      {compile_ms === null ? (
        <p className="empty">Compiling…</p>
      ) : (
        <div className="panel__body stack code">
          {source !== null && <SourceText source={source} />}
          {target === "wasm" && (
            <p>
              A WebAssembly module of {formatBytes(code_bytes)}. The browser's profiler shows its kernels
              under these names.
            </p>
          )}
          <details open={source === null}>
            <summary>{formatCount(kernels.length)} kernels</summary>
            <ul className="quiet code__kernels">
              {names.map(({ name: kernel, count }) => (
                <li key={kernel}>
                  <code>{kernel}</code>
                  {count > 1 && ` × ${count}`}
                </li>
              ))}
            </ul>
          </details>
        </div>
      )}
    </section>
  );
}

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
