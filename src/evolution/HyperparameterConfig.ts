import { type AlgorithmDefinition, numericFields, outsideRange, rangeProblems } from "../specs/algorithms.ts";
import { isMapping } from "../specs/messages.ts";
import type { HyperparameterChoice } from "../specs/sections.ts";
import { type Exploration, RLParameter, type RLParameterOptions } from "./RLParameter.ts";
import type { Random } from "./random.ts";

/** A numeric field of an algorithm's specification, as listed by `numericFields` in the specs. */
export interface NumericHyperparameter {
  readonly name: string;
  readonly kind: "int" | "float";
}

/** A hyperparameter's value in a member. */
export type HyperparameterValue = number | boolean | string | null;

/** Share of the members whose first values come from whole ranges where others are drawn around those given. */
const WIDE_SHARE = 0.25;

/**
 * The hyperparameters that may mutate, each with its range. Immutable; members may share one.
 *
 * @example
 * ```ts
 * const hp_config = new HyperparameterConfig({ lr: new RLParameter({ min: 1e-4, max: 1e-2 }) });
 * const trainer = new LocalTrainer({ algorithm: "DQN", environment: "CartPole-v1", hp_config, hpo: true });
 * ```
 */
export class HyperparameterConfig {
  readonly parameters: Readonly<Record<string, RLParameter>>;

  /** @throws TypeError unless every entry is an RLParameter. */
  constructor(parameters: Readonly<Record<string, RLParameter>> = {}) {
    if (!isMapping(parameters)) {
      throw new TypeError(
        `HyperparameterConfig: found ${describe(parameters)}, allowed an object of RLParameters by hyperparameter, such as { lr: new RLParameter({ min: 0.0001, max: 0.01 }) }`,
      );
    }
    for (const [name, parameter] of Object.entries(parameters)) {
      if (!(parameter instanceof RLParameter)) {
        throw new TypeError(
          `HyperparameterConfig.${name}: found ${describe(parameter)}, allowed RLParameter`,
        );
      }
    }
    this.parameters = { ...parameters };
  }

  /**
   * Creates a config from `mutation.rl_hp_selection` or `defaultHpRanges(spec)`. `fields` states which
   * hyperparameters are integers (`algorithmFields(name)` lists them).
   */
  static fromSelection(
    selection: Readonly<Record<string, Omit<RLParameterOptions, "dtype" | "value">>>,
    fields: readonly NumericHyperparameter[] = [],
  ): HyperparameterConfig {
    const kinds = new Map(fields.map(({ name, kind }) => [name, kind]));
    return new HyperparameterConfig(
      mapValues(selection, (range, name) => new RLParameter({ ...range, dtype: kinds.get(name) ?? null })),
    );
  }

  get names(): string[] {
    return Object.keys(this.parameters);
  }

  /**
   * Mutates one hyperparameter, drawn uniformly. Returns its name and new value; null for an empty config.
   * @throws RangeError when the member has no such hyperparameter.
   * @throws TypeError when it is not a number, or not a category where the config has categories.
   */
  mutate(
    values: Readonly<Record<string, HyperparameterValue>>,
    random: Random,
  ): { readonly name: string; readonly value: HyperparameterChoice } | null {
    const { names } = this;
    if (names.length === 0) return null;
    const name = random.choice(names);
    const parameter = this.parameters[name] as RLParameter;
    return { name, value: parameter.mutate(valueOf(values, name, parameter), random) };
  }

  /**
   * First values of a new member, for the hyperparameters that start at drawn ones.
   * @param values Those given, around which `log_normal` draws, but in a quarter of the members.
   */
  draw(random: Random, values: Readonly<Record<string, unknown>> = {}): Record<string, HyperparameterChoice> {
    const entries = Object.entries(this.parameters);
    const isWide =
      entries.some(([, { initial }]) => initial === "log_normal") && random.uniform() < WIDE_SHARE;
    return Object.fromEntries(
      entries.flatMap(([name, parameter]) => {
        const value = parameter.draw(random, isWide ? undefined : values[name]);
        return value === null ? [] : [[name, value]];
      }),
    );
  }

  /** Values of all hyperparameters for a copy that explores, each drawn from its range or a step away. */
  explore(
    values: Readonly<Record<string, HyperparameterValue>>,
    random: Random,
    how: Exploration,
  ): Record<string, HyperparameterChoice> {
    return mapValues(this.parameters, (parameter, name) =>
      parameter.explore(valueOf(values, name, parameter), random, how),
    );
  }

  /**
   * Checks that each hyperparameter is a number in the member, or a category where it has some. With `algorithm`, also checks that it may
   * mutate and that its range lies within the field's own bounds (`algorithmFields(name)` lists them).
   * @param algorithm What the specs know of the member's algorithm (`algorithmDefinition(name)`).
   * @returns the config for that algorithm, in which ranges of its integer fields have only integers.
   * @throws RangeError or TypeError as in `mutate`; RangeError for a range.
   */
  check(
    values: Readonly<Record<string, HyperparameterValue>>,
    algorithm: Pick<AlgorithmDefinition, "name" | "schema"> | null = null,
  ): HyperparameterConfig {
    for (const [name, parameter] of Object.entries(this.parameters)) valueOf(values, name, parameter);
    if (algorithm === null) return this;
    for (const [name, { min, max, choices, categories }] of Object.entries(this.parameters)) {
      const range = { min, max, choices: categories ?? choices };
      const [problem] = rangeProblems(algorithm, name, range);
      if (problem === undefined) continue;
      const place = problem.bound === null ? name : `${name}.${problem.bound}`;
      throw new RangeError(`hp_config.${place}: ${problem.message}`);
    }
    const unsure = numericFields(algorithm.schema).flatMap(({ name, kind }) => {
      const parameter = this.parameters[name];
      if (kind !== "int" || !parameter || parameter.dtype === "int") return [];
      if (parameter.dtype === "float")
        throw new RangeError(`hp_config.${name}.dtype: found float; ${name} is an integer`);
      const { categories: _none, ...options } = parameter;
      return [[name, new RLParameter({ ...options, dtype: "int" })] as const];
    });
    if (unsure.length === 0) return this;
    return new HyperparameterConfig({ ...this.parameters, ...Object.fromEntries(unsure) });
  }
}

/** The hyperparameters of a member and their ranges. */
interface Tuned {
  readonly hyperparameters: Readonly<Record<string, HyperparameterValue>>;
  readonly hp_config: HyperparameterConfig | null;
}

/** Warnings about values outside their ranges, which members may start with; each once. */
export function startWarnings(members: readonly Tuned[]): string[] {
  const warnings = members.flatMap(({ hyperparameters, hp_config }) =>
    Object.entries(hp_config?.parameters ?? {}).flatMap(([name, { min, max, categories }]) => {
      const outside = outsideRange(hyperparameters[name], { min, max, choices: categories });
      return outside === null ? [] : [`${name} ${outside}`];
    }),
  );
  return [...new Set(warnings)];
}

function describe(value: unknown): string {
  return value === null ? "null" : typeof value === "object" ? value.constructor.name : typeof value;
}

/** A member's value, which is a number or, if the parameter has categories, a name or a boolean. */
function valueOf(
  values: Readonly<Record<string, HyperparameterValue>>,
  name: string,
  { categories }: RLParameter,
): HyperparameterChoice {
  if (!Object.hasOwn(values, name)) {
    const known = Object.keys(values).filter((key) => typeof values[key] === "number");
    throw new RangeError(`unknown hyperparameter "${name}"; allowed: ${known.join(", ")}`);
  }
  const value = values[name];
  if (value === undefined || value === null || (typeof value === "number") !== (categories === null)) {
    const allowed = categories === null ? "numbers" : `one of ${categories.join(", ")}`;
    throw new TypeError(`hyperparameter "${name}": found ${describe(value)}, allowed ${allowed}`);
  }
  return value;
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, map: (a: A, name: string) => B) {
  return Object.fromEntries(Object.entries(record).map(([name, a]) => [name, map(a, name)]));
}
