import { liveRun } from "../state/runList.ts";
import { useWorkbenchState } from "../state/WorkbenchContext.ts";
import { MessagePage } from "./MessagePage.tsx";

/** Shown instead of a page that failed to load or render. Warns if reloading would end training. */
export function FailedPage({ message }: { readonly message: string }) {
  const run = useWorkbenchState(({ list, leaving }) => liveRun(list, leaving));
  return (
    <MessagePage title="This page could not be shown">
      <p>{message}</p>
      {run === null ? (
        <p>Reload the page to try again.</p>
      ) : (
        <p>
          “{run.name}” trains on in this tab. Reloading ends that; it can then be resumed from its last
          checkpoint. Without a network, wait for it to come back.
        </p>
      )}
      <button type="button" className="button button--primary" onClick={() => window.location.reload()}>
        {run === null ? "Reload" : "Reload and end training"}
      </button>
    </MessagePage>
  );
}
