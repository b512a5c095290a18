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
/** Named, so that enclosing types show this name instead of all its fields. */
export interface SelectionStrategySpecSchema extends SelectionStrategySpecMade {}

/**
 * How the next generation is chosen; `strategy` selects the method (default: tournament).
 *
 * @example
 * ```ts
 * const selection_strategy = SelectionStrategySpec.parse({ tournament_size: 2, elitism: true });
 * ```
 */
export const SelectionStrategySpec: SelectionStrategySpecSchema = madeSelectionStrategySpec;
export type SelectionStrategySpec = z.output<typeof SelectionStrategySpec>;
export type SelectionStrategySpecInput = z.input<typeof SelectionStrategySpec>;
