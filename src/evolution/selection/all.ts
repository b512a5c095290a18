import { z } from "zod";
import { option, tagged, type UnionTag } from "../../specs/checks.ts";
import type { SelectionDefinition } from "./defineSelection.ts";
import { HalvingSelectionSpec, halving } from "./halving.ts";
import { MultiFrequencySelectionSpec, multiFrequency } from "./multiFrequency.ts";
import { NoSelectionSpec, none } from "./none.ts";
import { TournamentSelectionSpec, tournament } from "./tournament.ts";
import { TruncationSelectionSpec, truncation } from "./truncation.ts";

/** All strategies, in the order of lists and messages. */
export const SELECTIONS: readonly SelectionDefinition[] = [
  tournament,
  multiFrequency,
  truncation,
  halving,
  none,
];

const TAG: UnionTag = {
  what: "selection strategy",
  key: "strategy",
  tags: SELECTIONS.map(({ strategy }) => strategy),
  fallback: tournament.strategy,
};

const madeSelectionStrategySpec = tagged(
  z.union([
    option(TAG, "tournament", TournamentSelectionSpec),
    option(TAG, "multi_frequency", MultiFrequencySelectionSpec),
    option(TAG, "truncation", TruncationSelectionSpec),
    option(TAG, "halving", HalvingSelectionSpec),
    option(TAG, "none", NoSelectionSpec),
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

/** Whether a strategy needs no mutation section. AgileRL has none of these strategies. */
export const evolvesAlone = ({ strategy }: { readonly strategy: string }): boolean =>
  SELECTIONS.find((definition) => definition.strategy === strategy)?.evolves_alone ?? false;

/** The definition of the strategy that a section names. @throws RangeError for an unknown one */
export function selectionDefinition({ strategy }: { readonly strategy: string }): SelectionDefinition {
  const found = SELECTIONS.find((definition) => definition.strategy === strategy);
  if (!found) throw new RangeError(`selection_strategy.strategy: found "${strategy}"`);
  return found;
}
