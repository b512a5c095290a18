import { useEffect, useState } from "react";
import type { StartEstimate as Estimate } from "../../../workers/protocol.ts";
import { formatBytes, formatDuration, formatShort } from "../../lib/format.ts";
import { useWorkbench, useWorkbenchState } from "../../state/WorkbenchContext.ts";
import { useEditor } from "./editorStore.ts";

/**
 * Milliseconds without a change before a text is estimated, so that typing does not trigger an estimate per
 * keystroke.
 */
const PAUSE_MS = 250;

function useEstimate(): Estimate | null {
  const { coordinator } = useWorkbench();
  const text = useEditor((state) => state.text);
  const valid = useEditor((state) => state.valid);
  const [estimate, setEstimate] = useState<Estimate | null>(null);
  useEffect(() => {
    let latest = true;
    const take = (found: Estimate | null): void => {
      if (latest) setEstimate(found);
    };
    const timer = setTimeout(() => {
      // An invalid text has no estimate; Start reports what is wrong.
      if (valid) coordinator.estimate(text).then(take, () => take(null));
      else take(null);
    }, PAUSE_MS);
    return () => {
      latest = false;
      clearTimeout(timer);
    };
  }, [coordinator, text, valid]);
  return estimate;
}

/** Steps per second of the population, from a short measurement; null before it ends and if it fails. */
function useCalibration(estimate: Estimate | null): number | null {
  const { coordinator } = useWorkbench();
  const text = useEditor((state) => state.text);
  const [measured, setMeasured] = useState<{ readonly text: string; readonly rate: number | null } | null>(
    null,
  );
  useEffect(() => {
    if (estimate === null) return undefined;
    let latest = true;
    // If the measurement fails, Start reports why.
    coordinator.calibrate(text).then(
      (rate) => latest && setMeasured({ text, rate }),
      () => undefined,
    );
    return () => {
      latest = false;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the estimate follows the text once typing pauses
  }, [coordinator, estimate]);
  return measured !== null && measured.text === text ? measured.rate : null;
}

/** Steps per second of the newest listed run with the same algorithm and environment. */
function useKnownSpeed(estimate: Estimate | null): number | null {
  return useWorkbenchState(({ list }) => {
    const alike = (list.runs ?? []).filter(
      ({ algorithm, environment, steps_per_second }) =>
        algorithm === estimate?.algorithm &&
        environment === estimate.environment &&
        steps_per_second !== null,
    );
    return alike.sort((a, b) => b.created_at - a.created_at)[0]?.steps_per_second ?? null;
  });
}

/** Estimated cost of the run: steps, time if a speed is known, and memory. */
export function StartEstimate() {
  const estimate = useEstimate();
  const measured = useCalibration(estimate);
  const known = useKnownSpeed(estimate);
  const speed = measured ?? known;
  if (estimate === null) return null;
  const { steps, bytes, population_bytes, replay_bytes } = estimate;
  const seconds = speed === null || speed <= 0 || steps === null ? null : steps / speed;
  return (
    <dl className="start-estimate" aria-label="Estimated cost of this run">
      {steps !== null && (
        <div>
          <dt>Steps</dt>
          <dd>{formatShort(steps)}</dd>
        </div>
      )}
      {seconds !== null && (
        <div>
          <dt>
            Time, {measured === null ? "at the speed of the last similar run" : "from a short measurement"}
          </dt>
          <dd>about {formatDuration(seconds)}</dd>
        </div>
      )}
      {bytes !== null && (
        <div>
          <dt>Memory</dt>
          <dd>
            about {formatBytes(bytes)}: members {formatBytes(population_bytes ?? 0)}
            {replay_bytes !== null && replay_bytes > 0 && `, replay buffer ${formatBytes(replay_bytes)}`}
          </dd>
        </div>
      )}
    </dl>
  );
}
