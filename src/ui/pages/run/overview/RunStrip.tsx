import type { ReactNode } from "react";
import { trainsOnText } from "../../../../specs/textEnvironments.ts";
import type { RunSummary } from "../../../../workers/protocol.ts";
import { formatCount, formatDuration, formatScore, formatShort, NONE } from "../../../lib/format.ts";
import type { RunView } from "../../../state/RunView.ts";
import { remainingSeconds } from "./remaining.ts";
import { stepsText } from "./stepsText.ts";

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
}

/** The run's progress: best fitness, speed, time left, last checkpoint, and steps taken. */
export function RunStrip({ view, summary }: Props) {
  const { progress, latest } = view;
  const stepName = trainsOnText(view.manifest) ? "Turns or rows" : "Environment steps";
  const active = summary.state === "running";
  const speed = active ? (progress ?? latest) : latest;
  const steps = Math.max(progress?.global_step ?? 0, summary.global_step);
  const total = progress?.total_steps ?? view.total_steps;
  const left = active ? remainingSeconds(progress) : null;
  const { last_checkpoint: checkpoint } = summary;
  return (
    <section className="panel strip" aria-label="Progress">
      <dl>
        <Stat label="Best so far">
          <span className="stat__best">{formatScore(summary.best_fitness)}</span>
        </Stat>
        <Stat label={`${stepName} / s`}>{formatShort(speed?.steps_per_second ?? null)}</Stat>
        <Stat label="Time left">{left === null ? NONE : formatDuration(left)}</Stat>
        <Stat label="Last checkpoint">
          {checkpoint === null ? NONE : `generation ${formatCount(checkpoint.generation)}`}
        </Stat>
      </dl>
      <div className="strip__progress">
        {total !== null && <progress aria-label={stepName} value={Math.min(steps, total)} max={total} />}
        <span>{stepsText(steps, total)}</span>
      </div>
    </section>
  );
}
