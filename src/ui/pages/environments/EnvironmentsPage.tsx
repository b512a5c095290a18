import { useEffect } from "react";
import { LinkButton } from "../../components/Button.tsx";
import { PageHead } from "../../components/PageHeading.tsx";
import { SkeletonView } from "../../components/ViewState.tsx";
import {
  type EnvironmentsRoute,
  environmentsRoute,
  formatRoute,
  ownEnvironmentRoute,
} from "../../routes/route.ts";
import { readKeptEnvironments, useKeptEnvironments } from "../../state/kept.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { BuiltInEnvironment } from "./builtIn/BuiltInEnvironment.tsx";
import { draftOf, loadDraft, NEW, useDrafts } from "./drafts.ts";
import { EnvironmentCode } from "./EnvironmentCode.tsx";
import { EnvironmentGallery } from "./gallery/EnvironmentGallery.tsx";
import { RobotDrop } from "./RobotDrop.tsx";
import { SharedEnvironment } from "./SharedEnvironment.tsx";
import { TrialPanel } from "./trial/TrialPanel.tsx";
import { ValidationPanel } from "./ValidationPanel.tsx";
import "./EnvironmentsPage.css";

/** Links to the stored environments and to a new one. */
function EnvironmentNames({ shown }: { readonly shown: string }) {
  const kept = useKeptEnvironments((state) => state.environments) ?? [];
  const drafts = useDrafts((state) => state.drafts);
  const changed = (name: string): boolean => {
    const draft = drafts[name];
    return draft !== undefined && draft.text !== draft.original;
  };
  return (
    <nav aria-label="Saved environments">
      <ul className="environments__names row">
        <li>
          <a
            className="button"
            href={formatRoute(ownEnvironmentRoute())}
            aria-current={shown === NEW ? "page" : undefined}
          >
            New
          </a>
        </li>
        {kept.map(({ name, id }) => (
          <li key={name}>
            <a
              className="button"
              href={formatRoute(ownEnvironmentRoute(name))}
              aria-current={shown === name ? "page" : undefined}
            >
              {id}
              {changed(name) && <span title="Unsaved changes">*</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/**
 * One environment: its code, validation and trial.
 * @param kept The name that it is stored under; "" for a new one.
 */
function EnvironmentWorkplace({ kept }: { readonly kept: string }) {
  const workbench = useWorkbench();
  const draft = useDrafts(({ drafts }) => draftOf(drafts, kept));
  useEffect(() => {
    if (kept === NEW) return;
    void workbench.attempt(async () => loadDraft(await workbench.coordinator.readEnvironment(kept)));
  }, [workbench, kept]);
  if (draft === null) return <SkeletonView label="Loading environment…" />;
  return (
    <div className="columns environments__columns">
      <EnvironmentCode kept={kept} draft={draft} />
      <div className="grid gap-4">
        <ValidationPanel draft={draft} />
        <TrialPanel
          title="Play"
          about="Opens the current code, saved or not, and plays episode after episode."
          source={async (signal) => {
            // Loads the code that opens sandboxes only when it is needed.
            const { openInPage } = await import("./openInPage.ts");
            return openInPage(draft, signal);
          }}
        />
      </div>
    </div>
  );
}

/** A user-written environment, and links to the others. */
function OwnEnvironment({ name }: { readonly name: string }) {
  return (
    <div className="page">
      <PageHead
        title={name === NEW ? "New environment" : `user/${name}`}
        text="A class that runs in a sandbox, without access to files or the network, or a robot of your own."
      >
        <LinkButton to={environmentsRoute}>All environments</LinkButton>
      </PageHead>
      <RobotDrop>
        <EnvironmentNames shown={name} />
        <EnvironmentWorkplace key={name} kept={name} />
      </RobotDrop>
    </div>
  );
}

/** The gallery of environments, or the page of one of them. */
export function EnvironmentsPage({ route }: { readonly route: EnvironmentsRoute }) {
  const workbench = useWorkbench();
  useEffect(() => {
    void workbench.attempt(() => readKeptEnvironments(workbench.coordinator));
  }, [workbench]);
  const { name, builtIn, shared } = route;
  if (shared !== null)
    return (
      <div className="page">
        <PageHead title="Shared environment" />
        <SharedEnvironment key={shared} letters={shared} />
      </div>
    );
  if (name !== null) return <OwnEnvironment name={name} />;
  if (builtIn !== null) return <BuiltInEnvironment key={builtIn} id={builtIn} />;
  return <EnvironmentGallery route={route} />;
}
