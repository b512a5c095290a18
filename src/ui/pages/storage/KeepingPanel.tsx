import { useEffect, useId, useState } from "react";
import type { StoragePolicy } from "../../../workers/protocol.ts";
import { useWorkbench } from "../../state/Workbench.ts";

/** Settings for which checkpoints are kept when newer ones are saved. */
export function KeepingPanel() {
  const workbench = useWorkbench();
  const { coordinator } = workbench;
  const [policy, setPolicy] = useState<StoragePolicy | null>(null);
  const id = useId();
  useEffect(() => {
    let shown = true;
    void workbench.attempt(async () => {
      const read = await coordinator.policy();
      if (shown) setPolicy(read);
    }, "policy");
    return () => {
      shown = false;
    };
  }, [workbench, coordinator]);
  const change = (next: StoragePolicy): void => {
    setPolicy(next);
    void workbench.attempt(() => coordinator.setPolicy(next), "policy");
  };
  return (
    <section className="panel" aria-label="Checkpoint retention">
      <div className="panel__head">
        <h2>Checkpoint retention</h2>
      </div>
      {policy !== null && (
        <div className="panel__body storage__policy">
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
          <p>Pinned checkpoints are always kept. Others are deleted when the next one is saved.</p>
        </div>
      )}
    </section>
  );
}
