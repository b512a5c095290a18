import { type ReactNode, useEffect, useState } from "react";
import type { ModelCard } from "../../../workers/pages.ts";
import type { StartEstimate as Estimate } from "../../../workers/protocol.ts";
import { Facts } from "../../components/Facts.tsx";
import { formatBytes, formatDuration, formatShort, NONE } from "../../lib/format.ts";
import { useWorkbench, useWorkbenchState } from "../../state/Workbench.ts";
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

/** Steps per second of the population, from a short measurement; undefined before it ends, null if it fails. */
function useCalibration(estimate: Estimate | null): number | null | undefined {
  const { coordinator } = useWorkbench();
  const text = useEditor((state) => state.text);
  const [measured, setMeasured] = useState<{ readonly text: string; readonly rate: number | null } | null>(
    null,
  );
  useEffect(() => {
    if (estimate === null) return undefined;
    let latest = true;
    const take = (rate: number | null): void => {
      if (latest) setMeasured({ text, rate });
    };
    // If the measurement fails, Start reports why.
    coordinator.calibrate(text).then(take, () => take(null));
    return () => {
      latest = false;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the estimate follows the text once typing pauses
  }, [coordinator, estimate]);
  return measured?.text === text ? measured.rate : undefined;
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

/**
 * Estimated cost of the run: steps, time if a speed is known, and memory. Has the same size before the figures are
 * known, so that nothing moves when they come.
 *
 * @param card The model of a manifest that trains language models; null for others.
 */
export function StartEstimate({ card }: { readonly card: ModelCard | null }) {
  const estimate = useEstimate();
  const measured = useCalibration(estimate);
  const known = useKnownSpeed(estimate);
  const speed = measured ?? known;
  const { steps = null, bytes = null, population_bytes, replay_bytes } = estimate ?? {};
  const total = bytes ?? card?.estimate?.total_bytes ?? null;
  const seconds = speed === null || speed <= 0 || steps === null ? null : steps / speed;
  const isMeasuring = estimate !== null && measured === undefined && seconds === null && steps !== null;
  return (
    <Facts
      className="facts start-estimate grid gap-4 grow"
      label="Estimated cost of this run"
      rows={[
        ["Steps", formatShort(steps)],
        [
          <>
            Time
            {seconds !== null && (
              <Detail>
                ,{" "}
                {typeof measured === "number"
                  ? "from a short measurement"
                  : "at the speed of the last similar run"}
              </Detail>
            )}
          </>,
          seconds !== null ? `about ${formatDuration(seconds)}` : isMeasuring ? "measuring…" : NONE,
        ],
        [
          "Memory",
          <>
            {total === null ? NONE : `about ${formatBytes(total)}`}
            {card?.estimate && (
              <Detail>
                : base {formatBytes(card.estimate.base_bytes + card.estimate.host_bytes)}, members{" "}
                {formatBytes(card.estimate.population_bytes)}, largest step{" "}
                {formatBytes(card.estimate.transient_bytes)}
              </Detail>
            )}
            {bytes !== null && (
              <Detail>
                : members {formatBytes(population_bytes ?? 0)}
                {(replay_bytes ?? 0) > 0 && `, replay buffer ${formatBytes(replay_bytes ?? 0)}`}
              </Detail>
            )}
          </>,
        ],
      ]}
    />
  );
}

/** Part of a figure that a phone has no room for; screen readers read it everywhere. */
const Detail = ({ children }: { readonly children: ReactNode }) => (
  <span className="start-estimate__detail">{children}</span>
);
