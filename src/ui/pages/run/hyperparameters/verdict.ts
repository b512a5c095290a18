import { gainText, isEvidence } from "../../../../tracking/history.ts";
import type { FitnessWord } from "../../../games/fitnessWord.tsx";
import { formatChange } from "../../../lib/format.ts";
import type { MoveGains } from "../insight/runGains.ts";

const listed = new Intl.ListFormat("en", { type: "conjunction" });

/**
 * What the moves of hyperparameters gained, in a sentence or two that claim no more than was measured.
 * @param word what fitness is called
 */
export function hyperparameterVerdict(
  names: readonly string[],
  moves: Readonly<Record<string, MoveGains>>,
  word: FitnessWord = "fitness",
): string {
  const moved = names.filter((name) => moves[name] !== undefined);
  if (moved.length === 0)
    return "No mutation of a hyperparameter has been evaluated beside unmutated members yet.";
  const evident = moved.flatMap((name) =>
    (["cuts", "rises"] as const).flatMap((direction) => {
      const own = moves[name];
      if (own === undefined || own.isDoubted || !isEvidence(own[direction].gain_interval)) return [];
      return [{ name, text: `${direction} of ${name} gained ${gainText(own[direction], formatChange)}` }];
    }),
  );
  const others = moved.filter((name) => evident.every((one) => one.name !== name));
  const told = evident.length === 0 ? "" : `In this run ${listed.format(evident.map(({ text }) => text))}.`;
  const rest =
    others.length === 0
      ? ""
      : `Not enough evidence that a move of ${listed.format(others)} gained or cost ${word}.`;
  return [told, rest].filter(Boolean).join(" ");
}
