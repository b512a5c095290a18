import { useCallback, useEffect, useId, useState } from "react";
import type { StoragePolicy } from "../../../workers/protocol.ts";
import { Button, FileButton } from "../../components/Button.tsx";
import { PageHead } from "../../components/PageHeading.tsx";
import { Panel } from "../../components/Panel.tsx";
import { SkeletonView } from "../../components/ViewState.tsx";
import { HubModels } from "../../languageModels/HubModels.tsx";
import { formatBytes } from "../../lib/format.ts";
import { navigate } from "../../routes/navigation.ts";
import { runRoute } from "../../routes/route.ts";
import { useAttempt } from "../../state/useAnswer.ts";
import { type StorageInfo, useWorkbench, useWorkbenchState } from "../../state/Workbench.ts";
import { Models } from "./Models.tsx";
import { RunBytesTable } from "./RunBytesTable.tsx";
import "./StoragePage.css";

/** Larger archives do not fit in memory together with their unpacked files. */
const MAX_BYTES = 2_000_000_000;

/** Imports an exported run. The whole archive is checked before the run appears. */
function ImportRunButton() {
  const workbench = useWorkbench();
  const [busy, setBusy] = useState(false);

  const open = async (file: File): Promise<void> => {
    setBusy(true);
    await workbench.attempt(async () => {
      if (file.size > MAX_BYTES)
        throw new Error(
          `${file.name} was not imported: it is larger than 2 GB, the limit for run archives. Choose an archive that this page exported.`,
        );
      const id = await workbench.coordinator.importRun(new Uint8Array(await file.arrayBuffer()));
      await workbench.refresh();
      navigate(runRoute(id));
    }, "import");
    setBusy(false);
  };

  return (
    <FileButton
      label="Import run"
      input="Run archive"
      accept=".zip,application/zip"
      busy={busy}
      onFiles={([file]) => {
        if (file !== undefined) void open(file);
      }}
    />
  );
}

const MB = 1e6;

/** Bytes by which the browser may count more than the files, for its own bookkeeping, without a word about it. */
const BOOKKEEPING = 50 * MB;

const MOST_POLICIES_MB = 100_000;

/** Settings for which checkpoints and elites are kept when newer ones are saved. */
function KeepingPanel() {
  const workbench = useWorkbench();
  const { coordinator } = workbench;
  const [chosen, setChosen] = useState<StoragePolicy | null>(null);
  const read = useCallback(() => coordinator.policy(), [coordinator]);
  const stored = useAttempt(read, "policy");
  const policy = chosen ?? stored;
  const id = useId();
  const change = (next: StoragePolicy): void => {
    setChosen(next);
    void workbench.attempt(() => coordinator.setPolicy(next), "policy");
  };
  return (
    <Panel title="Retention">
      {policy !== null && (
        <div className="panel__body storage__policy grid gap-3">
          <label htmlFor={`${id}-last`}>Newest checkpoints to keep per run</label>
          <input
            id={`${id}-last`}
            className="field field--number"
            type="number"
            min={1}
            max={1000}
            value={policy.keep_last}
            onChange={({ currentTarget: { valueAsNumber } }) => {
              if (Number.isInteger(valueAsNumber) && valueAsNumber >= 1 && valueAsNumber <= 1000)
                change({ ...policy, keep_last: valueAsNumber });
            }}
          />
          <label htmlFor={`${id}-best`}>Also keep the best checkpoint</label>
          <input
            id={`${id}-best`}
            type="checkbox"
            checked={policy.keep_best}
            onChange={(event) => change({ ...policy, keep_best: event.currentTarget.checked })}
          />
          <label htmlFor={`${id}-elites`}>Elites of all generations, at most MB per run</label>
          <input
            id={`${id}-elites`}
            className="field field--number"
            type="number"
            min={0}
            max={MOST_POLICIES_MB}
            value={policy.elite_bytes / MB}
            onChange={({ currentTarget: { valueAsNumber } }) => {
              if (valueAsNumber >= 0 && valueAsNumber <= MOST_POLICIES_MB)
                change({ ...policy, elite_bytes: Math.round(valueAsNumber * MB) });
            }}
          />
          <label htmlFor={`${id}-populations`}>All members of all generations, at most MB per run</label>
          <input
            id={`${id}-populations`}
            className="field field--number"
            type="number"
            min={0}
            max={MOST_POLICIES_MB}
            value={policy.population_bytes / MB}
            onChange={({ currentTarget: { valueAsNumber } }) => {
              if (valueAsNumber >= 0 && valueAsNumber <= MOST_POLICIES_MB)
                change({ ...policy, population_bytes: Math.round(valueAsNumber * MB) });
            }}
          />
          <p className="quiet">
            Pinned checkpoints and elites are always kept. Others are deleted when the next one is saved: of
            generations first every second one of the oldest, so that all parts of a run can be shown.
          </p>
        </div>
      )}
    </Panel>
  );
}

/** Asks the browser for persistent storage. Only a window may ask, not a worker. */
async function askToKeep(): Promise<boolean> {
  return (await navigator.storage?.persist?.()) ?? false;
}

/** How much storage is used, and whether the browser may clear it when space runs low. */
function SpacePanel({ storage }: { readonly storage: StorageInfo }) {
  const workbench = useWorkbench();
  const [answer, setAnswer] = useState<boolean | null>(null);
  const { kind, used, quota, persisted } = storage;
  const measure = useCallback(() => workbench.coordinator.storedBytes(), [workbench]);
  const files = useAttempt(measure, "stored bytes");
  const kept = answer ?? persisted;
  const ask = (): Promise<boolean> =>
    workbench.attempt(async () => {
      setAnswer(await askToKeep());
      await workbench.refresh();
    }, "persist");
  return (
    <Panel title="Space">
      <div className="panel__body stack storage__space">
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
                  {files !== null && <> · {formatBytes(files)} of files</>}
                </p>
                {files !== null && used > 2 * files + BOOKKEEPING && (
                  <p className="quiet">
                    The browser counts more than rlkit's files: it may include space that it has set aside or
                    not released yet, and its caches.
                  </p>
                )}
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
                <Button onClick={() => void ask()}>Request persistent storage</Button>
              </>
            )}
          </>
        )}
      </div>
    </Panel>
  );
}

/** The storage in this browser: space used, retention, runs and models, with import and export. */
export function StoragePage() {
  const workbench = useWorkbench();
  const storage = useWorkbenchState((state) => state.storage);
  useEffect(() => void workbench.refresh(), [workbench]);
  return (
    <div className="page">
      <PageHead title="Storage">
        <ImportRunButton />
      </PageHead>
      {storage === null ? (
        <SkeletonView label="Checking storage…" />
      ) : (
        <>
          <div className="panels">
            <SpacePanel storage={storage} />
            <KeepingPanel />
          </div>
          <RunBytesTable bytes={storage.runs} />
        </>
      )}
      <Models />
      <HubModels />
    </div>
  );
}
