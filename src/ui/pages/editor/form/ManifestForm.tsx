import { useEditor } from "../editorStore.ts";
import { manifestForm } from "../manifestForm.ts";
import { FormField } from "./FormField.tsx";
import { FormSection, sectionId } from "./FormSection.tsx";
import "./ManifestForm.css";

/** Every field of a manifest, section by section. It waits while the text cannot be read. */
export function ManifestForm() {
  const broken = useEditor((state) => state.brokenLine);
  const sections = manifestForm.children.filter(({ kind }) => kind === "group" || kind === "choice");
  return (
    <form className="manifest-form" aria-label="Manifest form" onSubmit={(event) => event.preventDefault()}>
      {broken !== null && (
        <div className="callout callout--warning">
          <p>
            Line {broken} of the text cannot be read. The form shows the text as it was before, and waits
            until the line is repaired.
          </p>
        </div>
      )}
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
        {sections.map((section) => (
          <FormSection key={section.key} node={section} />
        ))}
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
