/** Why a run does not train at present: what its page says above all views. */
import type { RunSummary } from "../../../workers/protocol.ts";
import { formatCount, formatDuration, formatMoment, formatScore, formatThings } from "../../lib/format.ts";
import { manifestNumber } from "../../lib/manifestValues.ts";

interface Standing {
  readonly text: string;
  /** Whether the user should do something about it. */
  readonly warns: boolean;
}

/** Null for a run that trains, is paused, or whose failure or download is shown elsewhere. */
export function standingOf(summary: RunSummary, manifest: unknown): Standing | null {
  const calm = (text: string): Standing => ({ text, warns: false });
  if (summary.fetch !== null) return null;
  if (summary.waiting) return calm("Queued: it starts when the runs before it have ended.");
  switch (summary.state) {
    case "queued":
      return calm("Waiting for a platform worker.");
    case "interrupted":
      return { text: interruptedText(summary), warns: true };
    case "stopped":
      return summary.end && calm(stoppedText(summary));
    case "finished":
      return calm(`Finished${moment(summary)}, ${progressText(summary)}${reasonText(summary, manifest)}.`);
    case "running":
    case "paused":
    case "failed":
      return null;
  }
}

const moment = ({ end }: RunSummary): string => (end === null ? "" : ` on ${formatMoment(end.at)}`);

const progressText = ({ generation, global_step }: RunSummary): string =>
  `after ${formatThings(generation, "generation")} and ${formatCount(global_step)} steps`;

function stoppedText(summary: RunSummary): string {
  return summary.generation === 0
    ? `Stopped${moment(summary)}, before the first generation ended: nothing of its training was saved. Resume starts from the beginning.`
    : `Stopped${moment(summary)}, ${progressText(summary)}. Resume continues from there.`;
}

function interruptedText({ end, last_checkpoint, generation }: RunSummary): string {
  const doing = end?.reason === "closed_paused" ? "paused" : "training";
  const closed = `The tab was closed or reloaded while this run was ${doing}.`;
  if (last_checkpoint === null)
    return `${closed} No checkpoint had been saved, so Resume starts from the beginning.`;
  const from = `Resume continues from its last checkpoint, generation ${formatCount(last_checkpoint.generation)}`;
  return last_checkpoint.generation < generation
    ? `${closed} ${from}, and trains the later generations again with the same results.`
    : `${closed} ${from}, as if the run had not been interrupted.`;
}

function reasonText({ end }: RunSummary, manifest: unknown): string {
  const given = (field: string): number | null => manifestNumber(manifest, `training.${field}`);
  switch (end?.reason) {
    case "target":
      return `: every member's fitness is above the target of ${formatScore(given("target_score"))}`;
    case "max_wall_seconds":
      return `: its time limit of ${formatDuration(given("max_wall_seconds") ?? Number.NaN)} is over`;
    case "max_steps": {
      const epochs = given("num_epochs");
      return epochs === null
        ? ": it has taken all of its steps"
        : `: it has trained for ${formatThings(epochs, "epoch")}`;
    }
    default:
      return "";
  }
}
