import { evolvesAlone } from "../../../evolution/selections.ts";
import { isMapping } from "../../../specs/messages.ts";
import { trainsOnText } from "../../../specs/sections.ts";
import type { RunSummary } from "../../../workers/protocol.ts";
import { type FitnessWord, fitnessWord } from "../../games/fitnessWord.tsx";
import { formatCount, formatDuration, formatScore, formatThings } from "../../lib/format.ts";
import { manifestNumber, manifestValue } from "../../lib/manifestValues.ts";

const moments = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** A date and a time of day. */
export const formatMoment = (moment: number): string => moments.format(moment);

/** Why a run does not train at present: what its page says above all views. */
interface Standing {
  readonly text: string;
  /** Whether the user should do something about it. */
  readonly warns: boolean;
}

/** Null for a run that trains, is paused, or whose failure or download is shown elsewhere. */
export function standingOf(
  summary: RunSummary,
  manifest: unknown,
  word: FitnessWord = "fitness",
): Standing | null {
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
      return calm(
        `Finished${moment(summary)}, ${progressText(summary)}${reasonText(summary, manifest, word)}.`,
      );
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

function reasonText({ end }: RunSummary, manifest: unknown, word: FitnessWord): string {
  const given = (field: string): number | null => manifestNumber(manifest, `training.${field}`);
  switch (end?.reason) {
    case "target":
      return `: every member's ${word} is above the target of ${formatScore(given("target_score"))}`;
    case "early_stopping":
      return `: the best ${word} did not rise in ${formatThings(given("early_stopping_patience") ?? Number.NaN, "evaluation")}`;
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

/** What belongs in a view that has nothing to show yet. */
export const HOLDS = {
  population: "A row for each member: how well it does, its hyperparameters and its last mutation.",
  lineage: "The family tree: who descends from whom, where mutations happened, and why the champion won.",
  hyperparameters: "Every hyperparameter over the generations, and which values the best members have.",
  insight: "What mutations bring and who survives them, which hyperparameters matter, and who trained when.",
  metrics: "A chart of each quantity that training reports.",
  network: "The layers of a member's network, and what mutation changed in them.",
  checkpoints: "The states from which the run can continue, each with its agents as files.",
  completions: "Each prompt with its completions and rewards, iteration by iteration.",
  events: "Selections, mutations and your own interventions, newest first.",
  log: "What the run reports in words: its device, its warnings and its errors.",
} as const;

type Waiter = Pick<RunSummary, "state" | "fetch" | "waiting" | "generation">;

/** Whether generations may still come without the user's doing. */
export const willTrain = ({ state, fetch, waiting }: Waiter): boolean =>
  fetch !== null || waiting || state === "running" || state === "queued";

/** Why a run has no generation yet. */
export function noGenerationText({ state, fetch, waiting }: Waiter): string {
  if (fetch !== null) return "The run's data set is being downloaded. Training begins after that.";
  if (waiting) return "The run starts when the runs before it have ended.";
  switch (state) {
    case "queued":
      return "The run waits for a worker of the platform.";
    case "running":
      return "The first generation is being trained. Its results appear here when it ends.";
    case "paused":
      return "The run was paused before its first generation ended. Resume it to continue.";
    case "interrupted":
      return "The tab was closed before the first generation ended. Resume starts from the beginning.";
    case "stopped":
      return "The run was stopped before its first generation ended, so nothing of it was saved. Resume starts from the beginning.";
    case "failed":
      return "The run failed before its first generation ended.";
    case "finished":
      return "The run ended without a generation.";
  }
}

/** Why a run without any fitness has none. */
export function noFitnessText(run: Waiter, manifest: unknown): string {
  const { generation } = run;
  if (generation === 0) return noGenerationText(run);
  const interval = manifestNumber(manifest, "training.evaluation_interval");
  if (trainsOnText(manifest) && interval !== null && generation < interval) {
    const rhythm = `This run evaluates its members every ${formatCount(interval)} generations`;
    return willTrain(run)
      ? `${rhythm}. The first point appears when generation ${formatCount(interval)} ends.`
      : `${rhythm}, and has ended ${formatCount(generation)} so far.`;
  }
  return `No member has a ${fitnessWord({ manifest, latest: null })}: none of the evaluations succeeded. The Log says why.`;
}

/** Whether selection is part of a run, with mutation where its strategy needs that. */
export function evolves(manifest: unknown): boolean {
  const strategy =
    manifestValue(manifest, "tournament_selection") ?? manifestValue(manifest, "selection_strategy");
  const name = manifestValue(strategy, "strategy");
  if (name === "none" || manifestNumber(manifest, "training.pop_size") === 1) return false;
  if (manifestValue(manifest, "training.hpo")) return true;
  const alone = typeof name === "string" && evolvesAlone({ strategy: name });
  return isMapping(strategy) && (alone || isMapping(manifestValue(manifest, "mutation")));
}

/**
 * Why there are no events of selection and mutation.
 * @param wanted the generation that the views show; null for the newest
 */
export function noEventsText(run: Waiter, manifest: unknown, wanted: number | null): string {
  if (!evolves(manifest)) return "This run has no selection and mutation, so its members stay the same.";
  if (wanted !== null) return `No member was replaced before generation ${formatCount(wanted + 1)}.`;
  if (run.generation === 0) return noGenerationText(run);
  if (!willTrain(run)) return "No member was replaced in this run.";
  const every = trainsOnText(manifest) ? (manifestNumber(manifest, "training.evo_steps") ?? 1) : 1;
  return every > 1
    ? `No member has been replaced yet. Selection and mutation follow every ${formatCount(every)} generations.`
    : "No member has been replaced yet. Selection and mutation follow each generation.";
}

/** Why a run has no checkpoint. */
export function noCheckpointText(run: Waiter & Pick<RunSummary, "unsaved">): string {
  if (run.generation === 0) return noGenerationText(run);
  if (run.unsaved !== null) return "No checkpoint could be saved.";
  return willTrain(run) ? "The first checkpoint is being saved." : "No checkpoint of this run is stored.";
}

/** Why no agents play. */
export const noAgentsText = (run: Waiter): string =>
  run.generation === 0 ? noGenerationText(run) : "No agents of this run are stored.";

/** Why no completions of language models are shown. */
export function noCompletionsText(run: Waiter): string {
  if (run.generation === 0) return noGenerationText(run);
  return willTrain(run)
    ? "No completions are stored from before this page was opened. The next generation's appear here."
    : "No completions of this run are stored.";
}
