import { useState } from "react";
import { formatBytes } from "../../lib/format.ts";
import type { StorageInfo } from "../../state/Workbench.ts";
import { useWorkbench } from "../../state/WorkbenchContext.ts";

/** Asks the browser for persistent storage. Only a window may ask, not a worker. */
async function askToKeep(): Promise<boolean> {
  return (await navigator.storage?.persist?.()) ?? false;
}

/** How much storage is used, and whether the browser may clear it when space runs low. */
export function SpacePanel({ storage }: { readonly storage: StorageInfo }) {
  const workbench = useWorkbench();
  const [answer, setAnswer] = useState<boolean | null>(null);
  const { kind, used, quota, persisted } = storage;
  const kept = answer ?? persisted;
  const ask = (): Promise<boolean> =>
    workbench.attempt(async () => {
      setAnswer(await askToKeep());
      await workbench.refresh();
    }, "persist");
  return (
    <section className="panel" aria-label="Space">
      <div className="panel__head">
        <h2>Space</h2>
      </div>
      <div className="panel__body storage__space">
        {kind === "memory" ? (
          <p>
            This browser gives the page no private file storage. All is kept in memory and lost when the tab
            closes.
          </p>
        ) : (
          <>
            {used !== null && quota !== null && (
              <>
                <p>
                  <strong>{formatBytes(used)}</strong> of {formatBytes(quota)} used
                </p>
                <meter aria-label="Storage used" min={0} max={quota} value={used} />
              </>
            )}
            {kept === true ? (
              <p>The browser keeps these files until you delete them.</p>
            ) : (
              <>
                <p>
                  {answer === false
                    ? "The browser has refused to promise that for now. It decides by how often the site is used; installing the workbench as an app helps."
                    : "When room on this device is short, the browser may clear the files of sites that are seldom used."}
                </p>
                <button type="button" className="button" onClick={() => void ask()}>
                  Ask the browser to keep them
                </button>
              </>
            )}
          </>
        )}
      </div>
    </section>
  );
}
