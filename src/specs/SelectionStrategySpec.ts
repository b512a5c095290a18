import { z } from "zod";
import { MultiFrequencySelectionSpec } from "./MultiFrequencySelectionSpec.ts";
import { TournamentSelectionSpec } from "./TournamentSelectionSpec.ts";
import { option, tagged, type UnionTag } from "./taggedUnion.ts";

const TAG: UnionTag = {
  what: "selection strategy",
  key: "strategy",
  tags: ["tournament", "multi_frequency"],
  fallback: "tournament",
};

const madeSelectionStrategySpec = tagged(
  z.union([
    option(TAG, "tournament", TournamentSelectionSpec),
    option(TAG, "multi_frequency", MultiFrequencySelectionSpec),
  ]),
  TAG,
);
type SelectionStrategySpecMade = typeof madeSelectionStrategySpec;
/** Named, so that types of what holds it say its name and not all its fields. */
export interface SelectionStrategySpecSchema extends SelectionStrategySpecMade {}

/**
 * How the next generation is chosen; `strategy` says which, tournament when absent.
 *
 * @example
 * ```ts
 * const selection_strategy = SelectionStrategySpec.parse({ tournament_size: 2, elitism: true });
 * ```
 */
export const SelectionStrategySpec: SelectionStrategySpecSchema = madeSelectionStrategySpec;
export type SelectionStrategySpec = z.output<typeof SelectionStrategySpec>;
export type SelectionStrategySpecInput = z.input<typeof SelectionStrategySpec>;
