/** What there is to know of a linked agent, in three lines. */
import { isGameId } from "../../games/isGame.ts";
import { formatCount, formatScore } from "../../lib/format.ts";
import type { LinkedAgent } from "./playLink.ts";

export const playStory = ({
  environment,
  algorithm,
  index,
  generation,
  fitness,
}: Omit<LinkedAgent, "bytes" | "module" | "env_config">): readonly [string, string, string] => [
  `An agent of ${algorithm} plays ${environment}.`,
  generation === 0
    ? "It has not been trained."
    : `It is number ${formatCount(index)}, the best of its population in generation ${formatCount(generation)}.`,
  fitness === null
    ? "It was never evaluated."
    : `Its ${isGameId(environment) ? "rating" : "score"} when it was evaluated: ${formatScore(fitness)}.`,
];
