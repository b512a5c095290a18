import { useEffect } from "react";
import { SkeletonView } from "../../components/ViewState.tsx";
import { useWorkbench } from "../../state/Workbench.ts";
import { draftOf, loadDraft, NEW, useDrafts } from "./drafts.ts";
import { EnvironmentCode } from "./EnvironmentCode.tsx";
import { ValidationPanel } from "./report/ValidationPanel.tsx";
import { TrialPanel } from "./trial/TrialPanel.tsx";

/**
 * One environment: its code, validation and trial.
 * @param kept The name that it is stored under; "" for a new one.
 */
export function EnvironmentWorkplace({ kept }: { readonly kept: string }) {
  const workbench = useWorkbench();
  const draft = useDrafts(({ drafts }) => draftOf(drafts, kept));
  useEffect(() => {
    if (kept === NEW) return;
    void workbench.attempt(async () => loadDraft(await workbench.coordinator.readEnvironment(kept)));
  }, [workbench, kept]);
  if (draft === null) return <SkeletonView label="Loading environment…" />;
  return (
    <div className="environments__columns">
      <EnvironmentCode kept={kept} draft={draft} />
      <div className="environments__side">
        <ValidationPanel draft={draft} />
        <TrialPanel draft={draft} />
      </div>
    </div>
  );
}
