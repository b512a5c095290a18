import { z } from "zod";
import { checkNames, checkSpec, field, type OptionNames } from "../../specs/checks.ts";
import type { PopulationOptions, SelectionStrategy } from "../SelectionStrategy.ts";

/** What a run gives the strategy that its manifest names. */
export interface SelectionRun {
  readonly population_size: number;
  readonly rand_seed: number;
  /** Number of most recent evaluations averaged to give a member's fitness. */
  readonly eval_loop: number;
  /** Steps of the run, as `max_steps` counts them, in rounds of selection of one member. */
  readonly steps: number;
  /** Generations between two rounds of selection. */
  readonly evolve_every: number;
  /** Whether `max_steps` counts the steps of all members together. */
  readonly isShared: boolean;
}

/** A field that does not fit the population; `key` is null for the population's size itself. */
export interface SelectionProblem {
  readonly key: string | null;
  readonly message: string;
}

/** The field `name` of all sections. */
export const label = field(z.string().nullable().default(null), "A label; it has no effect.");

/** The part of a section that all strategies have. */
interface AnySelectionSpec {
  readonly strategy: string;
}

/** A strategy of selection: its section in manifests, what it does, and what other rooms need to know of it. */
export interface SelectionDefinition<S extends AnySelectionSpec = AnySelectionSpec> {
  /** The value of `strategy` in manifests. */
  readonly strategy: S["strategy"];
  readonly schema: z.ZodType<S>;
  /** Makes the strategy of a run. @throws RangeError when it cannot divide the population */
  create(spec: S, run: SelectionRun): SelectionStrategy;
  /** The section with what follows from the population's size, or what does not fit it (default: as it is). */
  fit?(spec: S, pop_size: number): { readonly spec: S } | { readonly problem: SelectionProblem };
  /** Members that take turns to the end of a run (default: all). */
  finalists?(spec: S): number;
  /** Whether it needs no mutation section: it moves hyperparameters itself, or nothing is to change. */
  readonly evolves_alone?: boolean;
  /** Whether single ranks decide, so that near ties are worth more episodes (`training.tie_episodes`). */
  readonly ranks?: boolean;
  /** Whether language models may be selected by it (default: true). */
  readonly language_models?: boolean;
}

/** Infers the type of a strategy's section. */
export const defineSelection = <S extends AnySelectionSpec>(
  definition: SelectionDefinition<S>,
): SelectionDefinition<S> => definition;

/** An error about an option. @param problem what was found and is allowed */
export const refusal = (what: string, name: string, problem: string): RangeError =>
  new RangeError(`${what}.${name}: ${problem}`);

/** @throws RangeError for sizes that are no integers from `least` */
export function requireSizes(what: string, sizes: Readonly<Record<string, number>>, least = 1): void {
  for (const [name, size] of Object.entries(sizes))
    if (!Number.isInteger(size) || size < least)
      throw refusal(what, name, `found ${size}, allowed integers from ${least}`);
}

interface Called<Options> {
  readonly names: OptionNames<Options>;
  readonly example: string;
  readonly positional: readonly unknown[];
}

/**
 * Checks the options of a strategy's constructor by the schema of its section, and fills in the defaults.
 *
 * @throws TypeError for unknown options; RangeError for values out of range
 * @internal
 */
export function selectionOptions<S extends AnySelectionSpec, O extends PopulationOptions>(
  what: string,
  { strategy, schema }: Pick<SelectionDefinition<S>, "strategy" | "schema">,
  options: O,
  { names, example, positional }: Called<O>,
): S & Required<PopulationOptions> {
  checkNames(what, options, names, { example, positional });
  const { population_size, eval_loop = 1, rand_seed = 42, ...fields } = options;
  requireSizes(what, { population_size, eval_loop });
  const result = checkSpec(schema, { ...fields, strategy });
  if (!result.success) throw refusal(what, result.issues[0]?.path ?? "", result.issues[0]?.message ?? "");
  return { ...result.data, population_size, eval_loop, rand_seed };
}
