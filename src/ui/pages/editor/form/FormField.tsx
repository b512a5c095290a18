import { memo, useId } from "react";
import { dottedPath } from "../../../../specs/checks.ts";
import type { ManifestPath } from "../document/ManifestDocument.ts";
import { editField, type Remark } from "../editorStore.ts";
import { FieldControl } from "./FieldControl.tsx";
import type { FieldNode } from "./formNodes.ts";
import { useIsSet, useRemark } from "./useField.ts";

interface Props {
  readonly node: FieldNode;
  readonly path: ManifestPath;
  /** Hides the help text, for narrow layouts. */
  readonly brief?: boolean;
}

/** An error or a warning below a field. */
export function FieldRemark({
  id,
  remark: { level, message },
}: {
  readonly id: string;
  readonly remark: Remark;
}) {
  return (
    <p id={id} className={`form-field__remark small breaks whole-row ${level === "error" ? "bad" : "warn"}`}>
      {message}
    </p>
  );
}

/** One field: its key, help text, input, and error or warning. */
export const FormField = memo(
  function FormField({ node, path, brief = false }: Props) {
    const id = useId();
    const remark = useRemark(path);
    const isSet = useIsSet(path);
    const problem = remark === undefined ? undefined : `${id}-problem`;
    const help = brief ? undefined : `${id}-help`;
    const described = [problem, help].filter(Boolean).join(" ");
    return (
      <div className={brief ? "form-field form-field--brief" : "form-field"}>
        <div className="form-field__text">
          <label htmlFor={id}>
            <code>{node.key}</code>
          </label>
          {node.unit !== null && !brief && <span className="faint form-field__unit"> {node.unit}</span>}
          {!node.effect && <span className="faint form-field__unit"> preserved, but has no effect here</span>}
          {!brief && (
            <p id={help} className="faint">
              {node.description}
            </p>
          )}
        </div>
        <div className="form-field__value line gap-1 relative">
          <FieldControl
            id={id}
            node={node}
            path={path}
            invalid={remark?.level === "error"}
            describedBy={described === "" ? undefined : described}
          />
          {isSet && !brief && (
            <button
              type="button"
              className="form-field__unset dim"
              aria-label={`Reset ${dottedPath(path)}`}
              title="Reset to the default"
              onClick={() => editField(path, { kind: "unset" })}
            >
              ×
            </button>
          )}
        </div>
        {remark !== undefined && problem !== undefined && <FieldRemark id={problem} remark={remark} />}
      </div>
    );
  },
  (before, after) => before.node === after.node && dottedPath(before.path) === dottedPath(after.path),
);
