import { useMemo, useState } from "react";
import { formatBytes, formatCount } from "../../../lib/format.ts";
import { useWorkbench } from "../../../state/Workbench.ts";

/** The source of a shader, with line numbers that are not copied with it. */
export function SourceText({ source }: { readonly source: string }) {
  const workbench = useWorkbench();
  const [copied, setCopied] = useState(false);
  const lines = useMemo(() => source.trimEnd().split("\n").length, [source]);
  const numbers = useMemo(() => Array.from({ length: lines }, (_, i) => i + 1).join("\n"), [lines]);
  const copy = async (): Promise<void> => {
    setCopied(await workbench.attempt(() => navigator.clipboard.writeText(source)));
  };
  return (
    <div className="source">
      <div className="source__head">
        <h3>WGSL</h3>
        <span>
          {formatCount(lines)} lines, {formatBytes(source.length)}
        </span>
        <output aria-live="polite">{copied && "Copied"}</output>
        <button type="button" className="button button--small" onClick={() => void copy()}>
          Copy
        </button>
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
