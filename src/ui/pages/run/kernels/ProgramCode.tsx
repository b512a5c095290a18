import { useMemo, useState } from "react";
import type { KernelReport } from "../../../../kernels/devices.ts";
import { Button } from "../../../components/Button.tsx";
import { formatBytes, formatCount } from "../../../lib/format.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { countedNames } from "./useKernels.ts";

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
        <span>
          {formatCount(lines)} lines, {formatBytes(source.length)}
        </span>
        <output aria-live="polite">{copied && "Copied"}</output>
        <Button small onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scroll regions need keyboard focus */}
      <section className="source__scroll" aria-label="WGSL source" tabIndex={0}>
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
export function ProgramCode({ program }: { readonly program: KernelReport }) {
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
        <div className="panel__body code">
          {source !== null && <SourceText source={source} />}
          {target === "wasm" && (
            <p>
              A WebAssembly module of {formatBytes(code_bytes)}. The browser's profiler shows its kernels
              under these names.
            </p>
          )}
          <details open={source === null}>
            <summary>{formatCount(kernels.length)} kernels</summary>
            <ul className="code__kernels">
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
