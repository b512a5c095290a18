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

/** How the next generation is chosen; `strategy` says which, tournament when absent. */
export const SelectionStrategySpec = tagged(
  z.union([
    option(TAG, "tournament", TournamentSelectionSpec),
    option(TAG, "multi_frequency", MultiFrequencySelectionSpec),
  ]),
  TAG,
);
export type SelectionStrategySpec = z.output<typeof SelectionStrategySpec>;
export type SelectionStrategySpecInput = z.input<typeof SelectionStrategySpec>;
