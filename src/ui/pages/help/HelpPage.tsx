import { PageHeading } from "../../components/PageHeading.tsx";
import { Capabilities } from "./Capabilities.tsx";
import { Shortcuts } from "./Shortcuts.tsx";
import "./HelpPage.css";

/** Keyboard shortcuts, and what this browser supports. */
export function HelpPage() {
  return (
    <div className="page">
      <PageHeading title="Help" />
      <Shortcuts />
      <section className="panel" aria-label="This browser">
        <div className="panel__head">
          <h2>This browser</h2>
        </div>
        <div className="panel__body">
          <Capabilities />
        </div>
      </section>
    </div>
  );
}
