/** Whom members of a game play while they train: names, and how often each is drawn. */
import { z } from "zod";

/**
 * The agent as it learns; an agent as it was, any of them; members and agents as they were, the more often the less the
 * agent wins; random moves; a rule that takes a win, else stops one, else moves at random.
 */
export const OPPONENT_NAMES = ["self", "past", "league", "random", "rule:one_step"] as const;
export type OpponentName = (typeof OPPONENT_NAMES)[number];

/** A kind alone, all kinds, or how often each is drawn, in proportion. */
export const OpponentsField = z.union([
  z.enum([...OPPONENT_NAMES, "mixed"]),
  z
    .partialRecord(z.enum(OPPONENT_NAMES), z.number().nonnegative())
    .refine((weights) => Object.values(weights).some((weight) => weight > 0), "must have a weight above 0"),
]);
export type OpponentsField = z.output<typeof OpponentsField>;

/** Weights of `mixed`. */
const MIXED = { self: 0.5, league: 0.4, random: 0.05, "rule:one_step": 0.05 } as const;

/** How often each kind of opponent is drawn, in proportion. */
export function opponentWeights(
  given: OpponentsField | null,
): Readonly<Partial<Record<OpponentName, number>>> {
  if (given === null || given === "mixed") return MIXED;
  return typeof given === "string" ? { [given]: 1 } : given;
}
