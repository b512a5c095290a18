import type { ReactNode } from "react";
import { trainsOnText } from "../../../specs/textEnvironments.ts";
import type { RunSummary } from "../../../workers/protocol.ts";
import { formatCount, formatDuration, formatScore, formatShort, NONE } from "../../lib/format.ts";
import type { FitnessSeries } from "../../series/FitnessSeries.ts";
import type { RunView } from "../../state/RunView.ts";
import { remainingSeconds } from "./remaining.ts";
import { totalSteps } from "./totalSteps.ts";

function Stat({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="stat">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface Props {
  readonly view: RunView;
  readonly summary: RunSummary;
  readonly series: FitnessSeries;
}

/** The run in numbers: how far, how good, how fast. */
export function RunStats({ view, summary, series }: Props) {
  const { progress, latest, checkpoint } = view;
  const mean = series.mean.at(series.evaluated.at(series.evaluated.length - 1));
  const stepName = trainsOnText(view.manifest) ? "Turns or rows" : "Environment steps";
  const active = summary.state === "running";
  const speed = active ? (progress ?? latest) : latest;
  const steps = Math.max(progress?.global_step ?? 0, summary.global_step);
  const total = progress?.total_steps ?? totalSteps(view.manifest);
  const left = active ? remainingSeconds(progress) : null;
  return (
    <section className="panel stats" aria-label="Progress">
      <div className="stats__row">
        {/* Always current for the eye; the announcer speaks for it, so that it is not read out every second. */}
        <output className="stat stat--lead" aria-live="off">
          Generation {formatCount(summary.generation)}
        </output>
        <dl>
          <Stat label="Best so far">
            <span className="stat__elite">{formatScore(summary.best_fitness)}</span>
          </Stat>
          <Stat label="Population mean">{formatScore(mean)}</Stat>
          <Stat label={`${stepName} / s`}>{formatShort(speed?.steps_per_second ?? null)}</Stat>
          <Stat label="Learning steps / s">{formatShort(speed?.learn_steps_per_second ?? null)}</Stat>
          <Stat label="Time left">{left === null ? NONE : formatDuration(left)}</Stat>
          <Stat label="Last checkpoint">
            {checkpoint === null ? NONE : `generation ${formatCount(checkpoint.generation)}`}
          </Stat>
        </dl>
      </div>
      <div className="stats__progress">
        {total !== null && <progress aria-label={stepName} value={steps} max={total} />}
        <span>
          {formatCount(steps)}
          {total !== null && ` of ${formatCount(total)}`} steps
        </span>
      </div>
    </section>
  );
}
