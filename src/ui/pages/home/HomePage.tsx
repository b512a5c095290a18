import { templates } from "../../../specs/templates/templates.ts";
import { ImportManifestButton } from "../editor/ImportManifestButton.tsx";
import { CapabilityLine } from "./CapabilityLine.tsx";
import { RunList } from "./RunList.tsx";
import { TemplateCard } from "./TemplateCard.tsx";
import "./HomePage.css";

/** The first screen: ready runs to begin with, and the runs there are. */
export function HomePage() {
  return (
    <div className="page">
      <div className="page__head">
        <div className="page__head-text">
          <h1>Train a population of agents</h1>
          <p>Pick one and watch it learn and evolve, here in this tab.</p>
        </div>
        <div className="page__actions">
          <ImportManifestButton />
        </div>
      </div>
      <section className="templates" aria-label="Templates">
        {templates.map((template) => (
          <TemplateCard key={template.id} template={template} />
        ))}
      </section>
      <CapabilityLine />
      <RunList />
    </div>
  );
}
