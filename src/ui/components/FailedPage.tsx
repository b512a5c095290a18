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
          “{run.name}” is still training in this tab. Reloading stops it; you can then resume it from its last
          checkpoint. If you are offline, wait until the connection is back.
        </p>
      )}
      <button type="button" className="button button--primary" onClick={() => window.location.reload()}>
        {run === null ? "Reload" : "Reload and stop training"}
      </button>
    </MessagePage>
  );
}
