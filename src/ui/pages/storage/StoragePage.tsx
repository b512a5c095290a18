import { useEffect } from "react";
import { PageHeading } from "../../components/PageHeading.tsx";
import { SkeletonView } from "../../components/ViewState.tsx";
import { useWorkbench, useWorkbenchState } from "../../state/Workbench.ts";
import { Models } from "../models/Models.tsx";
import { ImportRunButton } from "./ImportRunButton.tsx";
import { KeepingPanel } from "./KeepingPanel.tsx";
import { RunBytesTable } from "./RunBytesTable.tsx";
import { SpacePanel } from "./SpacePanel.tsx";
import "./StoragePage.css";

/** The storage in this browser: space used, retention, runs and models, with import and export. */
export function StoragePage() {
  const workbench = useWorkbench();
  const storage = useWorkbenchState((state) => state.storage);
  useEffect(() => void workbench.refresh(), [workbench]);
  return (
    <div className="page">
      <div className="page__head">
        <div className="page__head-text">
          <PageHeading title="Storage" />
        </div>
        <div className="page__actions">
          <ImportRunButton />
        </div>
      </div>
      {storage === null ? (
        <SkeletonView label="Checking storage…" />
      ) : (
        <>
          <div className="storage__panels">
            <SpacePanel storage={storage} />
            <KeepingPanel />
          </div>
          <RunBytesTable bytes={storage.runs} />
        </>
      )}
      <Models />
    </div>
  );
}
