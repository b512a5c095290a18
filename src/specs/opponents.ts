/** Whom members of a game play while they train, and how they search in evaluations. */
import { z } from "zod";
import { field, integer } from "./field.ts";

/**
 * The agent as it learns; an agent as it was, any of them; members and agents as they were, the more often the less the
 * agent wins; random moves; a rule that takes a win, else stops one, else moves at random; a paddle that follows the ball; a
 * player of Pig that holds at 20 points.
 */
export const OPPONENT_NAMES = [
  "self",
  "past",
  "league",
  "random",
  "rule:one_step",
  "rule:follow",
  "rule:hold_at_20",
] as const;
export type OpponentName = (typeof OPPONENT_NAMES)[number];

/** A kind alone, all kinds, or how often each is drawn, in proportion. */
const AgainstField = z.union([
  z.enum([...OPPONENT_NAMES, "mixed"]),
  z
    .partialRecord(z.enum(OPPONENT_NAMES), z.number().nonnegative())
    .refine((weights) => Object.values(weights).some((weight) => weight > 0), "must have a weight above 0"),
]);

/** Stages of a curriculum: whom agents play, and the rating of the best member that ends the stage. */
const StagesField = z
  .array(
    z.strictObject({
      against: field(AgainstField, "Whom agents play in the stage."),
      until: field(z.number().optional(), "Rating of the best agent that ends the stage; none in the last."),
    }),
  )
  .min(1)
  .refine(
    (stages) => stages.every(({ until }, i) => (until === undefined) === (i === stages.length - 1)),
    "must have until, the rating that ends a stage, in all stages but the last",
  );

/** Whom agents play: the same to the end, or in stages. */
export const OpponentsField = z.union([AgainstField, StagesField]);
export type OpponentsField = z.output<typeof OpponentsField>;

/** How agents search before they move. */
export const SearchField = z.strictObject({
  simulations: field(integer(2).default(32), "Positions that the search of a move adds to its tree."),
});

/** How often each kind of opponent is drawn, in proportion. */
export type OpponentWeights = Readonly<Partial<Record<OpponentName, number>>>;

export interface OpponentStage {
  readonly weights: OpponentWeights;
  /** Rating of the best member that ends the stage; null for the last one. */
  readonly until: number | null;
}

/** Weights of `mixed`. */
const MIXED = {
  self: 0.5,
  league: 0.4,
  random: 0.05,
  "rule:one_step": 0.05,
  "rule:follow": 0.05,
  "rule:hold_at_20": 0.05,
} as const;

function weightsOf(given: z.output<typeof AgainstField> | null): OpponentWeights {
  if (given === null || given === "mixed") return MIXED;
  return typeof given === "string" ? { [given]: 1 } : given;
}

/** Kinds that are named one by one. */
export const namedOpponents = (given: OpponentsField | null): readonly string[] =>
  (Array.isArray(given) ? given.map(({ against }) => against) : [given])
    .filter((against) => against !== "mixed")
    .flatMap((against) => Object.keys(weightsOf(against ?? {})));

/** The stages of a curriculum; one for opponents that stay the same. */
export const opponentStages = (given: OpponentsField | null): readonly OpponentStage[] =>
  Array.isArray(given)
    ? given.map(({ against, until = null }) => ({ weights: weightsOf(against), until }))
    : [{ weights: weightsOf(given), until: null }];
