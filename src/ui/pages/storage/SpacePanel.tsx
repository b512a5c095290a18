import { useState } from "react";
import { formatBytes } from "../../lib/format.ts";
import { type StorageInfo, useWorkbench } from "../../state/Workbench.ts";

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
            This browser provides no private file storage for this page. Everything is kept in memory and lost
            when the tab closes.
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
                    ? "The browser declined for now. It decides based on how often you use the site; installing the workbench as an app helps."
                    : "When this device runs low on space, the browser may delete the files of rarely used sites."}
                </p>
                <button type="button" className="button" onClick={() => void ask()}>
                  Request persistent storage
                </button>
              </>
            )}
          </>
        )}
      </div>
    </section>
  );
}
