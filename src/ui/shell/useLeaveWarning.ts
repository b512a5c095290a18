import { useEffect } from "react";
import { liveRun } from "../state/runList.ts";
import { useWorkbenchState } from "../state/WorkbenchContext.ts";

/** Browsers ask only where somebody has done something, and complain where they are made to ask before. */
function warn(event: BeforeUnloadEvent): void {
  if (navigator.userActivation?.hasBeenActive !== false) event.preventDefault();
}

/** Lets the browser ask before a tab is closed in which a run trains. */
export function useLeaveWarning(): void {
  const trains = useWorkbenchState(({ list, leaving }) => {
    const run = liveRun(list, leaving);
    return run?.state === "running" && !run.live_elsewhere;
  });
  useEffect(() => {
    if (!trains) return undefined;
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [trains]);
}
