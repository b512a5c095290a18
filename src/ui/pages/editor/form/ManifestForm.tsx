import { useDeferredValue, useMemo, useState } from "react";
import { EmptyView } from "../../../components/ViewState.tsx";
import { useEditor } from "../editorStore.ts";
import { manifestForm } from "../manifestForm.ts";
import { FormField } from "./FormField.tsx";
import { FormSearch } from "./FormSearch.tsx";
import { FormSection, sectionId } from "./FormSection.tsx";
import { ALL_FIELDS, FormViewContext, isWanted } from "./formView.ts";
import "./ManifestForm.css";

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
    <form className="manifest-form" aria-label="Manifest form" onSubmit={(event) => event.preventDefault()}>
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
      <fieldset className="manifest-form__body" disabled={broken !== null}>
        <FormViewContext value={followed}>
          {sections.map((section) => (
            <FormSection key={section.key} node={section} />
          ))}
        </FormViewContext>
        {sections.length === 0 && (
          <EmptyView
            title="No matching fields"
            action={
              <button type="button" className="button" onClick={() => setView(ALL_FIELDS)}>
                Show all fields
              </button>
            }
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
