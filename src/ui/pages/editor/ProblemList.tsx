import { type Remark, useEditor } from "./editorStore.ts";

/** The errors and warnings in the text, each with its line. */
export function ProblemList({ onGo }: { readonly onGo: (line: number) => void }) {
  const remarks = useEditor((state) => state.remarks);
  if (remarks.length === 0) return <p className="problems problems--none">No problems. Ready to train.</p>;
  return (
    <ul className="problems" aria-label="Problems">
      {remarks.map((remark: Remark) => (
        <li key={`${remark.path} ${remark.line} ${remark.message}`} className={`problems__${remark.level}`}>
          <button type="button" onClick={() => onGo(remark.line)}>
            Line {remark.line}
          </button>
          <span>
            {remark.path !== "" && <code>{remark.path}</code>} {remark.message}
          </span>
        </li>
      ))}
    </ul>
  );
}
