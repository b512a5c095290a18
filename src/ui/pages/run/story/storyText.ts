import { type GainSummary, gainText, isEvidence } from "../../../../tracking/history.ts";
import {
  formatChange,
  formatCount,
  formatHyperparameter,
  formatScore,
  formatThings,
} from "../../../lib/format.ts";
import { mutationWords } from "../descent/agentFacts.ts";
import type { ChampionStory, Changes, GeneMoves, Place } from "./championStory.ts";
import type { Lead } from "./lead.ts";

/** A sentence about the champion, and the agent and generation that show it. */
export interface Sentence {
  readonly text: string;
  readonly evidence: Place;
}

/** Hyperparameters that are told. */
const MOST_GENES = 3;

const COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

const few = (count: number, thing: string): string =>
  `${COUNTS[count] ?? formatCount(count)} ${thing}${count === 1 ? "" : "s"}`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What mutations gained, in words that claim no more than was measured. */
const gained = (gains: GainSummary, isDoubted = false): string =>
  gainText(gains, formatChange, isDoubted) ?? "nothing to compare them with";

/** A lead in words: it is none until the noise of both evaluations is ruled out. */
function leadText({ over, value, interval, episodes }: Lead, generation: number): string {
  const told =
    isEvidence(interval) && value > 0 ? "It is ahead of" : "Not enough evidence that it is ahead of";
  const range = interval === null ? "" : ` [${interval.map(formatChange).join(", ")}]`;
  const count = Number.isFinite(episodes) ? `${formatThings(episodes, "episode")} each` : "episodes unknown";
  return `${told} #${over}, the next best in generation ${formatCount(generation)}: ${formatChange(value)}${range}, ${count}.`;
}

function geneText({ name, from, to, cuts, rises, gains, isDoubted }: GeneMoves): string {
  const moves = [cuts > 0 ? few(cuts, "cut") : "", rises > 0 ? few(rises, "rise") : ""].filter(Boolean);
  const ends = `${formatHyperparameter(from)} to ${formatHyperparameter(to)}`;
  const told =
    gains && ` Gain of all ${to < from ? "cuts" : "rises"} of it in this run: ${gained(gains, isDoubted)}.`;
  return `${capital(moves.join(" and "))} of ${name} took it from ${ends}.${told ?? ""}`;
}

/** Changes of a kind that the line has kept. */
function* changeText({ steps, gains }: Changes, thing: string): Generator<Sentence> {
  const [first] = steps;
  if (first === undefined) return;
  const words = steps.slice(-MOST_GENES).map((step) => mutationWords(step, null));
  const more = steps.length > words.length ? "; the last ones: " : ": ";
  yield {
    text: `${capital(few(steps.length, thing))} lasted${more}${words.join(", ")}. Gain of all of this kind in this run: ${gained(gains)}.`,
    evidence: { generation: first.generation, index: first.index },
  };
}

function* sentencesOf(story: ChampionStory): Generator<Sentence> {
  const { founder, generations, steps, gains, genes, alone, population } = story;
  const own: Place = { generation: story.generation, index: story.index };
  const start: Place = { generation: founder.generation, index: founder.index };
  const rank = founder.rank === null ? "" : `, rank ${founder.rank} of ${formatCount(population)}`;
  yield {
    text: `Its line began with agent #${founder.index} in generation ${formatCount(founder.generation)}, at ${formatScore(founder.fitness)}${rank}.`,
    evidence: start,
  };
  if (generations > 0) {
    const brought =
      steps.length === 0
        ? "without a mutation"
        : `with ${formatThings(steps.length, "mutation")}. Their mean gain over unmutated siblings: ${gained(gains)}`;
    yield {
      text: `It reached ${formatScore(story.fitness)} after ${formatThings(generations, "generation")} ${brought}.`,
      evidence: own,
    };
  }
  if (story.lead !== null) yield { text: leadText(story.lead, story.generation), evidence: own };
  for (const gene of genes.slice(0, MOST_GENES)) yield { text: geneText(gene), evidence: gene.first };
  yield* changeText(story.architecture, "architecture mutation");
  yield* changeText(story.activation, "activation mutation");
  yield* changeText(story.parameters, "weight mutation");
  if (alone !== null)
    yield {
      text: `Since generation ${formatCount(alone)} all ${formatCount(population)} members have descended from agent #${founder.index}.`,
      evidence: { generation: alone, index: founder.index },
    };
}

/** The story in sentences, each of facts alone. */
export const storyText = (story: ChampionStory): readonly Sentence[] => [...sentencesOf(story)];
