import { DocumentationLink } from "../../components/DocumentationLink.tsx";
import { Panel } from "../../components/Panel.tsx";
import { documentationAddress } from "../../lib/documentation.ts";

const PAGES = [
  ["", "How to begin"],
  ["manifest.html", "Manifests"],
  ["algorithms/", "Algorithms"],
  ["environments/", "Environments"],
  ["evolution.html", "Evolution"],
  ["language-models.html", "Language models"],
  ["results.html", "Results"],
  ["api/", "API of the library"],
] as const;

/** Where the documentation is: links to its pages, or the place of its files. */
export function Documentation() {
  return (
    <Panel title="Documentation">
      <div className="panel__body row help-links">
        {documentationAddress("") === null ? (
          <p>
            It is in the folder <code>docs</code> of rlkit's package, and <code>npm start</code> in a clone
            serves it.
          </p>
        ) : (
          PAGES.map(([page, text]) => (
            <DocumentationLink key={page} page={page}>
              {text}
            </DocumentationLink>
          ))
        )}
      </div>
    </Panel>
  );
}
