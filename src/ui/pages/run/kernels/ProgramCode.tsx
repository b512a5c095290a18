import type { KernelReport } from "../../../../kernels/devices.ts";
import { formatBytes, formatCount } from "../../../lib/format.ts";
import { countedNames } from "./programs.ts";
import { SourceText } from "./SourceText.tsx";

/** The code of one program: the names of its kernels, and its source if it is text. */
export function ProgramCode({ program }: { readonly program: KernelReport }) {
  const { name, target, kernels, source, code_bytes, compile_ms } = program;
  const names = countedNames(kernels);
  return (
    <section className="panel" aria-label={`Code of ${name}`}>
      <div className="panel__head">
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
