import {
  formatChange,
  formatCount,
  formatHyperparameter,
  formatScore,
  formatThings,
} from "../../../lib/format.ts";
import { mutationWords } from "../descent/agentFacts.ts";
import type { ChampionStory, GeneMoves, Place } from "./championStory.ts";

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

function geneText({ name, from, to, cuts, rises }: GeneMoves): string {
  const moves = [cuts > 0 ? few(cuts, "cut") : "", rises > 0 ? few(rises, "rise") : ""].filter(Boolean);
  const ends = `${formatHyperparameter(from)} to ${formatHyperparameter(to)}`;
  return `${capital(moves.join(" and "))} of ${name} took it from ${ends}.`;
}

function* sentencesOf(story: ChampionStory): Generator<Sentence> {
  const { founder, generations, gains, genes, structures, weights, turning, alone, population } = story;
  const own: Place = { generation: story.generation, index: story.index };
  const start: Place = { generation: founder.generation, index: founder.index };
  const rank = founder.rank === null ? "" : `, rank ${founder.rank} of ${formatCount(population)}`;
  yield {
    text: `Its line began with agent #${founder.index} in generation ${formatCount(founder.generation)}, at ${formatScore(founder.fitness)}${rank}.`,
    evidence: start,
  };
  if (generations > 0) {
    const { mutated, trained, mutations } = gains;
    const parts =
      mutations === 0
        ? "by training alone"
        : `${formatChange(trained)} by training alone, ${formatChange(mutated)} in generations that began with a mutation (${formatCount(mutations)})`;
    yield {
      text: `It reached ${formatScore(story.fitness)} after ${formatThings(generations, "generation")}: ${parts}.`,
      evidence: own,
    };
  }
  for (const gene of genes.slice(0, MOST_GENES)) yield { text: geneText(gene), evidence: gene.first };
  const [structure] = structures;
  if (structure !== undefined) {
    const words = structures.slice(-MOST_GENES).map((step) => mutationWords(step, null));
    const more = structures.length > words.length ? "; the last ones: " : ": ";
    yield {
      text: `${capital(few(structures.length, "change"))} of its networks lasted${more}${words.join(", ")}.`,
      evidence: { generation: structure.generation, index: structure.index },
    };
  }
  const [noise] = weights;
  if (noise !== undefined)
    yield {
      text: `Noise was added to its weights ${weights.length === 1 ? "once" : `${formatCount(weights.length)} times`}.`,
      evidence: { generation: noise.generation, index: noise.index },
    };
  if (turning !== null) {
    const { step, own: reached, others, count, until } = turning;
    const copies = count === 1 ? "the other copy" : `the ${formatCount(count)} other copies`;
    yield {
      text: `Its largest lead came in generation ${formatCount(step.generation)} with ${mutationWords(step, null)}: by generation ${formatCount(until)} its descendants had reached ${formatScore(reached)}, ${copies} of its parent ${formatScore(others)}.`,
      evidence: { generation: step.generation, index: step.index },
    };
  }
  if (alone !== null)
    yield {
      text: `Since generation ${formatCount(alone)} all ${formatCount(population)} members have descended from agent #${founder.index}.`,
      evidence: { generation: alone, index: founder.index },
    };
}

/** The story in sentences, each of facts alone. */
export const storyText = (story: ChampionStory): readonly Sentence[] => [...sentencesOf(story)];
