import { useWorkbenchState } from "../../state/Workbench.ts";

/** Notices about storage: a warning if runs are not stored, and what was repaired at startup. */
export function StorageRemarks() {
  const storage = useWorkbenchState((state) => state.storage);
  return (
    <>
      {storage?.kind === "memory" && (
        <div className="callout callout--warning">
          <p>
            This browser provides no private file storage for this page, so runs are lost when the tab closes.
            Download what you want to keep, or leave private browsing.
          </p>
        </div>
      )}
      {storage !== null && storage.report.length > 0 && (
        <div className="callout">
          <p>{storage.report.join("\n")}</p>
        </div>
      )}
    </>
  );
}
