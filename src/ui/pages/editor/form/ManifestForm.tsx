import { useDeferredValue, useId, useMemo, useState } from "react";
import { Button } from "../../../components/Button.tsx";
import { EmptyView } from "../../../components/ViewState.tsx";
import { formatThings } from "../../../lib/format.ts";
import { editField, useEditor } from "../editorStore.ts";
import { FormField } from "./FormField.tsx";
import { FormGroup } from "./FormGroup.tsx";
import { ALL_FIELDS, FormSearch, FormViewContext, isWanted } from "./FormSearch.tsx";
import { type FormNode, groupAt, keyIn, startingValue, valueAt } from "./formNodes.ts";
import { manifestForm } from "./formOfSchema.ts";

/** The DOM id of a section's element. */
const sectionId = (key: string): string => `section-${key}`;

/** A section of the manifest; optional sections can be added and removed. */
function FormSection({ node }: { readonly node: FormNode }) {
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
      <div className="row panel__head">
        <h2 id={heading}>{node.key}</h2>
        {problems > 0 && (
          <span className="bad form-section__problems small">{formatThings(problems, "problem")}</span>
        )}
        {optional && (
          <Button
            small
            aria-describedby={heading}
            onClick={() => (present ? editField(path, { kind: "unset" }) : add())}
          >
            {present ? "Remove" : "Add"}
          </Button>
        )}
      </div>
      <div className="panel__body stack">
        <p className="quiet">{node.description}</p>
        {(present || !optional) && <FormGroup node={node} path={path} />}
      </div>
    </section>
  );
}

/** Sections whose absence has a meaning. */
const OPTIONAL: ReadonlySet<string> = new Set(
  manifestForm.children.filter((child) => child.nullable).map((child) => child.key),
);

/** A form with every field of a manifest, by section. Disabled while the text has a syntax error. */
export function ManifestForm() {
  const broken = useEditor((state) => state.brokenLine);
  const [view, setView] = useState(ALL_FIELDS);
  // The search input updates immediately; the form follows.
  const { wanted, effectless } = useDeferredValue(view);
  const followed = useMemo(() => ({ wanted: wanted.trim().toLowerCase(), effectless }), [wanted, effectless]);
  const sections = manifestForm.children.filter(
    (node) => (node.kind === "group" || node.kind === "choice") && isWanted(node, followed.wanted),
  );
  return (
    <form className="stack gap-4" aria-label="Manifest form" onSubmit={(event) => event.preventDefault()}>
      {broken !== null && (
        <div className="callout callout--warning">
          <p>
            Line {broken} has a syntax error. The form shows the last valid text and is disabled until you fix
            the line.
          </p>
        </div>
      )}
      <FormSearch view={view} onChange={setView} />
      <nav className="manifest-form__nav" aria-label="Sections">
        {sections.map(({ key }) => (
          <button
            key={key}
            type="button"
            onClick={() => document.getElementById(sectionId(key))?.scrollIntoView()}
          >
            {key}
          </button>
        ))}
      </nav>
      <fieldset className="stack gap-4" disabled={broken !== null}>
        <FormViewContext value={followed}>
          {sections.map((section) => (
            <FormSection key={section.key} node={section} />
          ))}
        </FormViewContext>
        {sections.length === 0 && (
          <EmptyView
            title="No matching fields"
            action={<Button onClick={() => setView(ALL_FIELDS)}>Show all fields</Button>}
            guide={["manifest.html", "All fields and their meanings"]}
          />
        )}
        <section className="panel" aria-label="Format">
          <div className="panel__body">
            {manifestForm.children.map(
              (child) =>
                child.kind === "enum" && <FormField key={child.key} node={child} path={[child.key]} />,
            )}
          </div>
        </section>
      </fieldset>
    </form>
  );
}
