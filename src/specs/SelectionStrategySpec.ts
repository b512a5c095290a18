import { z } from "zod";
import { field, integer, layers } from "./field.ts";
import { HalvingSelectionSpec, NoSelectionSpec, TruncationSelectionSpec } from "./TruncationSelectionSpec.ts";
import { option, tagged, type UnionTag } from "./taggedUnion.ts";

const madeTournamentSelectionSpec = z.strictObject({
  strategy: field(z.literal("tournament").default("tournament"), "Selection by tournaments."),
  name: field(z.string().nullable().default(null), "A label; it has no effect."),
  tournament_size: field(
    integer(1).default(2),
    "Agents drawn for each tournament. More of them favour the fittest more strongly.",
    { unit: "agents" },
  ),
  elitism: field(z.boolean().default(true), "Keeps the fittest agent in the first slot."),
});
type TournamentSelectionSpecMade = typeof madeTournamentSelectionSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface TournamentSelectionSpecSchema extends TournamentSelectionSpecMade {}

/**
 * Tournament selection: each new slot gets the fittest of a few agents drawn at random.
 *
 * @example
 * ```ts
 * const selection_strategy = TournamentSelectionSpec.parse({ tournament_size: 2, elitism: true });
 * ```
 */
export const TournamentSelectionSpec: TournamentSelectionSpecSchema = madeTournamentSelectionSpec;
export type TournamentSelectionSpec = z.output<typeof TournamentSelectionSpec>;
export type TournamentSelectionSpecInput = z.input<typeof TournamentSelectionSpec>;

const bracket = (minimum: number, description: string) =>
  field(integer(minimum).nullable().default(null), description, { unit: "agents" });

const madeMultiFrequencySelectionSpec = z
  .strictObject({
    strategy: field(
      z.literal("multi_frequency"),
      "Selection in subpopulations that evolve at different frequencies.",
    ),
    name: field(z.string().nullable().default(null), "A label; it has no effect."),
    n_subpopulations: field(layers(2).default(2), "Number of subpopulations."),
    n_winners: bracket(1, "Agents of each subpopulation that replace losers. If unset, a quarter."),
    n_survivors: bracket(0, "Agents that continue unchanged. If unset, none."),
    n_open_for_migration: bracket(1, "Agents that migrants may replace. If unset, a quarter."),
    n_losers: bracket(1, "Agents that winners replace. If unset, all others."),
    evolution_frequency_ratios: field(
      z.array(integer(1)).nullable().default(null),
      "Generations between the evolution rounds of each subpopulation. If unset, 1, 5, 10, 15, ...",
    ),
  })
  .superRefine((spec, context) => {
    const ratios = spec.evolution_frequency_ratios ?? [];
    const fail = (message: string): void =>
      context.addIssue({ code: "custom", path: ["evolution_frequency_ratios"], message });
    if (ratios.length === 0) return;
    if (ratios.length !== spec.n_subpopulations) {
      fail(
        `found ${ratios.length} items; must have one for each of n_subpopulations (${spec.n_subpopulations})`,
      );
    }
    if (ratios.some((ratio, index) => index > 0 && ratio <= (ratios[index - 1] ?? 0))) {
      fail(`found [${ratios.join(", ")}]; must be strictly increasing`);
    }
  });
type MultiFrequencySelectionSpecMade = typeof madeMultiFrequencySelectionSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface MultiFrequencySelectionSpecSchema extends MultiFrequencySelectionSpecMade {}

/**
 * Multi-frequency population based training: subpopulations evolve at different frequencies and exchange
 * members.
 *
 * @example
 * ```ts
 * const selection_strategy = MultiFrequencySelectionSpec.parse({ strategy: "multi_frequency" });
 * ```
 */
export const MultiFrequencySelectionSpec: MultiFrequencySelectionSpecSchema = madeMultiFrequencySelectionSpec;
export type MultiFrequencySelectionSpec = z.output<typeof MultiFrequencySelectionSpec>;
export type MultiFrequencySelectionSpecInput = z.input<typeof MultiFrequencySelectionSpec>;

const MIN_POPULATION = 6;
const MIN_SUBPOPULATION = 3;

/** Rounds to the nearest integer, halves to the even one. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** A problem with the layout of subpopulations; `key` is `null` for a problem with the population size. */
interface LayoutProblem {
  key: keyof MultiFrequencySelectionSpec | null;
  message: string;
}

/** A spec whose bracket sizes and ratios are known. */
interface MultiFrequencyLayout extends MultiFrequencySelectionSpec {
  n_winners: number;
  n_survivors: number;
  n_open_for_migration: number;
  n_losers: number;
  evolution_frequency_ratios: number[];
}

/**
 * Fills in the bracket sizes and ratios for a population.
 *
 * @param pop_size Number of members: at least 6, and a multiple of `n_subpopulations` with at least 3 in
 *   each.
 */
export function resolveMultiFrequency(
  spec: MultiFrequencySelectionSpec,
  pop_size: number,
): { layout: MultiFrequencyLayout } | { problem: LayoutProblem } {
  const count = spec.n_subpopulations;
  const problem = (key: LayoutProblem["key"], message: string) => ({ problem: { key, message } });
  if (pop_size < MIN_POPULATION) {
    return problem(
      null,
      `found ${pop_size}; multi_frequency selection needs at least ${MIN_POPULATION} agents`,
    );
  }
  if (pop_size % count !== 0) {
    return problem(null, `found ${pop_size}; must be a multiple of n_subpopulations (${count})`);
  }
  const size = pop_size / count;
  if (size < MIN_SUBPOPULATION) {
    return problem(
      "n_subpopulations",
      `found ${count}; leaves ${size} of ${pop_size} agents in each, at least ${MIN_SUBPOPULATION} are needed`,
    );
  }
  const quarter = roundHalfEven(0.25 * size);
  const n_winners = spec.n_winners ?? quarter;
  const n_survivors = spec.n_survivors ?? 0;
  const n_open_for_migration = spec.n_open_for_migration ?? quarter;
  const n_losers = spec.n_losers ?? size - n_winners - n_survivors - n_open_for_migration;
  const total = n_winners + n_survivors + n_open_for_migration + n_losers;
  if (total !== size || n_losers < 1) {
    return problem(
      "n_losers",
      `winners ${n_winners}, survivors ${n_survivors}, open for migration ${n_open_for_migration} and losers ${n_losers} must add up to the subpopulation's ${size} agents, with at least 1 loser`,
    );
  }
  const given = spec.evolution_frequency_ratios ?? [];
  const evolution_frequency_ratios =
    given.length > 0 ? given : Array.from({ length: count }, (_, index) => (index === 0 ? 1 : 5 * index));
  return {
    layout: { ...spec, n_winners, n_survivors, n_open_for_migration, n_losers, evolution_frequency_ratios },
  };
}

const TAG: UnionTag = {
  what: "selection strategy",
  key: "strategy",
  tags: ["tournament", "multi_frequency", "truncation", "halving", "none"],
  fallback: "tournament",
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
