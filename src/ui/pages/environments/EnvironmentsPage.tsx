import { useEffect } from "react";
import { PageHeading } from "../../components/PageHeading.tsx";
import type { EnvironmentsRoute } from "../../routes/route.ts";
import { readKeptEnvironments } from "../../state/kept.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { NEW } from "./drafts.ts";
import { EnvironmentNames } from "./EnvironmentNames.tsx";
import { EnvironmentWorkplace } from "./EnvironmentWorkplace.tsx";
import { SharedEnvironment } from "./share/SharedEnvironment.tsx";
import "./EnvironmentsPage.css";

/** The page where users write, validate, play and train in their own environments. */
export function EnvironmentsPage({ route }: { readonly route: EnvironmentsRoute }) {
  const workbench = useWorkbench();
  useEffect(() => {
    void workbench.attempt(() => readKeptEnvironments(workbench.coordinator));
  }, [workbench]);
  return (
    <div className="page">
      <div className="page__head">
        <div className="page__head-text">
          <PageHeading title="Environments" />
          <p>
            Write your own environment as a class. It runs in a sandbox without access to files or the
            network.
          </p>
        </div>
      </div>
      {route.shared === null ? (
        <>
          <EnvironmentNames shown={route.name} />
          <EnvironmentWorkplace key={route.name} kept={route.name ?? NEW} />
        </>
      ) : (
        <SharedEnvironment key={route.shared} letters={route.shared} />
      )}
    </div>
  );
}
