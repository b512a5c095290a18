import { useId } from "react";
import { editField, useEditor } from "../editorStore.ts";
import { manifestForm } from "../manifestForm.ts";
import { FormGroup } from "./FormGroup.tsx";
import type { FormNode } from "./FormNode.ts";
import { groupAt, keyIn, valueAt } from "./formPaths.ts";
import { startingValue } from "./startingValue.ts";

/** The DOM id of a section's element. */
export const sectionId = (key: string): string => `section-${key}`;

/** A section of the manifest; optional sections can be added and removed. */
export function FormSection({ node }: { readonly node: FormNode }) {
  const heading = useId();
  const key = useEditor(({ shown }) => keyIn(shown.values, node));
  const path = [key];
  const present = useEditor(({ shown }) => {
    const value = valueAt(shown.values, [key]);
    return value !== undefined && value !== null;
  });
  const problems = useEditor(
    ({ remarks }) =>
      remarks.filter(
        ({ level, path: at }) =>
          level === "error" && (at === key || at.startsWith(`${key}.`) || at.startsWith(`${key}[`)),
      ).length,
  );
  const optional = OPTIONAL.has(node.key);
  const add = (): void => {
    const group = groupAt(node, undefined);
    if (group !== null) editField(path, { kind: "value", value: startingValue(group) });
  };
  return (
    <section className="panel form-section" id={sectionId(node.key)} aria-labelledby={heading}>
      <div className="panel__head">
        <h2 id={heading}>{node.key}</h2>
        {problems > 0 && (
          <span className="form-section__problems">
            {problems} {problems === 1 ? "problem" : "problems"}
          </span>
        )}
        {optional && (
          <button
            type="button"
            className="button button--small"
            aria-describedby={heading}
            onClick={() => (present ? editField(path, { kind: "unset" }) : add())}
          >
            {present ? "Remove" : "Add"}
          </button>
        )}
      </div>
      <div className="panel__body">
        <p className="form-group__help">{node.description}</p>
        {(present || !optional) && <FormGroup node={node} path={path} />}
      </div>
    </section>
  );
}

/** Sections whose absence has a meaning. */
const OPTIONAL: ReadonlySet<string> = new Set(
  manifestForm.children.filter((child) => child.nullable).map((child) => child.key),
);
