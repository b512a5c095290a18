import { useEffect } from "react";
import { liveRun } from "../state/runList.ts";
import { useWorkbenchState } from "../state/WorkbenchContext.ts";

/** Browsers ask only after a user interaction, and log a warning if asked to before that. */
function warn(event: BeforeUnloadEvent): void {
  if (navigator.userActivation?.hasBeenActive !== false) event.preventDefault();
}

/** Makes the browser ask for confirmation before closing a tab in which a run trains or is not saved. */
export function useLeaveWarning(): void {
  const trains = useWorkbenchState(({ list, leaving }) => {
    const run = liveRun(list, leaving);
    const isUnsaved = list.runs?.some(({ unsaved, live_elsewhere }) => unsaved !== null && !live_elsewhere);
    return isUnsaved === true || (run?.state === "running" && !run.live_elsewhere);
  });
  useEffect(() => {
    if (!trains) return undefined;
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [trains]);
}
