import { useEffect } from "react";
import { formatBytes } from "../lib/format.ts";
import { useNow } from "../lib/useNow.ts";
import { useWorkbench, useWorkbenchState } from "../state/WorkbenchContext.ts";

/** How much of the browser's storage quota is used; links to the Storage page. */
export function StorageMeter() {
  const workbench = useWorkbench();
  const now = useNow();
  // Data sets, models and other tabs use space too, without events.
  useEffect(() => void workbench.readStorage(), [workbench, now]);
  const storage = useWorkbenchState((state) => state.storage);
  if (storage === null) return null;
  const { kind, used, quota } = storage;
  if (kind === "memory") {
    return (
      <a className="storage-meter" href="#/storage">
        <span className="rail__text">Memory only, not saved</span>
      </a>
    );
  }
  if (used === null || quota === null || quota === 0) return null;
  return (
    <a
      className="storage-meter"
      href="#/storage"
      aria-label={`Storage: ${formatBytes(used)} of ${formatBytes(quota)}`}
      title={`${formatBytes(used)} of ${formatBytes(quota)} used`}
    >
      <span className="storage-meter__bar" aria-hidden="true">
        <span style={{ width: `${Math.min(100, (100 * used) / quota)}%` }} />
      </span>
      <span className="rail__text">
        {formatBytes(used)} of {formatBytes(quota)}
      </span>
    </a>
  );
}
