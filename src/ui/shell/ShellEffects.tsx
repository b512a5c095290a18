import { useEffect } from "react";
import { Button } from "../components/Button.tsx";
import { listenForShortcuts, useShortcut } from "../lib/shortcuts.ts";
import { navigate } from "../routes/navigation.ts";
import { editorRoute, runsRoute } from "../routes/route.ts";
import { liveRun } from "../state/runList.ts";
import { nextTheme } from "../state/theme.ts";
import { useWorkbenchState } from "../state/Workbench.ts";

/** Browsers ask only after a user interaction, and log a warning if asked to before that. */
function warn(event: BeforeUnloadEvent): void {
  if (navigator.userActivation?.hasBeenActive !== false) event.preventDefault();
}

/** Makes the browser ask for confirmation before closing a tab in which a run trains or is not saved. */
function useLeaveWarning(): void {
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

/** Invisible behaviour of all pages: global shortcuts, and the warning before a training tab closes. */
export function ShellEffects() {
  useLeaveWarning();
  useEffect(listenForShortcuts, []);
  useShortcut("g r", () => navigate(runsRoute));
  useShortcut("g n", () => navigate(editorRoute()));
  useShortcut("?", () => navigate({ page: "help" }));
  useShortcut("t", nextTheme);
  return null;
}

const reload = (): void => window.location.reload();

/** An error banner, shown after the coordinator is lost. */
export function LossBanner() {
  const loss = useWorkbenchState((state) => state.loss);
  if (loss === null) return null;
  return (
    <div className="shell__banner" role="alert">
      <div className="callout callout--error">
        <p>
          {loss}
          {"\n"}Your saved data is safe. Reload the page; you can then resume a run that was training from its
          last checkpoint.
        </p>
        <Button onClick={reload}>Reload</Button>
      </div>
    </div>
  );
}
