/**
 * Sweep configurations of Weights & Biases: `parameters` with their values or distributions
 * (https://docs.wandb.ai/models/sweeps/sweep-config-keys).
 */
import { z } from "zod";
import { exponential, geometric } from "../../evolution/members.ts";
import { Random } from "../../evolution/random.ts";
import { checkSpec, dottedPath, SpecError, type SpecIssue } from "../../specs/checks.ts";
import { alternatives, show } from "../../specs/messages.ts";
import { combinationsOf, grid, type Setting, tooManyRuns } from "./settings.ts";

const Parameter = z.looseObject({
  values: z.array(z.unknown()).min(1).optional(),
  value: z.unknown().optional(),
  distribution: z.string().optional(),
  probabilities: z.array(z.number().min(0)).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  mu: z.number().default(0),
  sigma: z.number().min(0).default(1),
  q: z.number().positive().default(1),
  parameters: z.record(z.string(), z.unknown()).optional(),
});

type Parameter = z.output<typeof Parameter>;

/** The keys of a W&B sweep file that say what is trained. Others, such as `program`, describe W&B's own agent. */
export const WandbSweep = z.looseObject({
  method: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  run_cap: z.int().min(1).optional(),
});

export type WandbSweep = z.output<typeof WandbSweep>;

type Range = Parameter & { readonly min: number; readonly max: number };

const between = ({ min, max }: Range, random: Random): number => min + (max - min) * random.uniform();

/** Draws from ranges. */
const RANGES: Readonly<Record<string, (range: Range, random: Random) => number>> = {
  int_uniform: ({ min, max }, random) =>
    Math.ceil(min) + random.integer(Math.floor(max) - Math.ceil(min) + 1),
  uniform: between,
  // The range is that of the logarithm.
  log_uniform: (range, random) => exponential(between(range, random)),
  inv_log_uniform: (range, random) => exponential(-between(range, random)),
  log_uniform_values: logUniform,
  // The logarithms of a value and of its inverse are distributed alike.
  inv_log_uniform_values: logUniform,
};

const BELLS: Readonly<Record<string, (parameter: Parameter, random: Random) => number>> = {
  normal: ({ mu, sigma }, random) => mu + sigma * random.normal(),
  log_normal: ({ mu, sigma }, random) => exponential(mu + sigma * random.normal()),
};

const QUANTISED = ["uniform", "log_uniform", "log_uniform_values", "normal", "log_normal"];

const DISTRIBUTIONS = [
  "constant",
  "categorical",
  ...Object.keys(RANGES),
  ...Object.keys(BELLS),
  ...QUANTISED.map((name) => `q_${name}`),
];

function logUniform({ min, max }: Range, random: Random): number {
  return Math.min(max, Math.max(min, geometric(min, max, random.uniform())));
}

/** The nearest multiple of `q`, without the error of the multiplication. */
const multiple = (value: number, q: number): number => Number((Math.round(value / q) * q).toPrecision(12));

/** One parameter: its values, and how one is drawn. */
interface Choice {
  /** All values; null if they cannot be listed. */
  readonly values: readonly unknown[] | null;
  readonly draw: (random: Random) => unknown;
}

function fail(segments: readonly string[], code: SpecIssue["code"], message: string): never {
  throw new SpecError([{ code, path: dottedPath(segments), segments, message }], "sweep");
}

/** The name of a parameter's distribution, by W&B's defaults. */
function distributionOf({ distribution, values, value, min, max }: Parameter): string | null {
  if (distribution !== undefined) return distribution;
  if (values !== undefined) return "categorical";
  if (value !== undefined) return "constant";
  if (min === undefined || max === undefined) return null;
  return Number.isInteger(min) && Number.isInteger(max) ? "int_uniform" : "uniform";
}

function choiceOf(parameter: Parameter, segments: readonly string[]): Choice {
  const { values, value, probabilities, min, max, q } = parameter;
  const name = distributionOf(parameter);
  if (name === null)
    return fail(segments, "missing", "has no values; give value, values, or min and max with a distribution");
  if (name === "constant") {
    if (value === undefined) return fail(segments, "missing", "a constant needs value");
    return { values: [value], draw: () => value };
  }
  if (name === "categorical") {
    if (values === undefined) return fail(segments, "missing", "categorical needs a list of values");
    if (probabilities === undefined) return { values, draw: (random) => random.choice(values) };
    if (probabilities.length !== values.length)
      return fail(
        segments,
        "rule",
        `found ${probabilities.length} probabilities for ${values.length} values; give one for each`,
      );
    return { values: null, draw: (random) => values[random.weighted(probabilities) ?? 0] };
  }
  if (!DISTRIBUTIONS.includes(name)) {
    const rest = alternatives("distribution", name, { names: DISTRIBUTIONS });
    return fail([...segments, "distribution"], "value", `unknown distribution ${show(name)}${rest}`);
  }
  const isQuantised = name.startsWith("q_");
  const base = isQuantised ? name.slice(2) : name;
  const quantised = (drawn: number): number => (isQuantised ? multiple(drawn, q) : drawn);
  const bell = BELLS[base];
  if (bell) return { values: null, draw: (random) => quantised(bell(parameter, random)) };
  const draw = RANGES[base];
  if (min === undefined || max === undefined || draw === undefined)
    return fail(segments, "missing", `${name} needs min and max`);
  const least = base.endsWith("_values") ? Number.MIN_VALUE : Number.NEGATIVE_INFINITY;
  const isEmpty = base === "int_uniform" && Math.ceil(min) > Math.floor(max);
  if (min > max || min < least || isEmpty)
    return fail(
      segments,
      "range",
      `found ${min} to ${max}, in which ${name} has no values; give min below max${least > 0 ? ", both above 0" : ""}`,
    );
  const range: Range = { ...parameter, min, max };
  const step = name === "int_uniform" ? 1 : name === "q_uniform" ? q : null;
  return {
    values: step === null ? null : steps(range, step),
    draw: (random) => quantised(draw(range, random)),
  };
}

/** The multiples of `step` in a range; null if they are more than a sweep may have runs. */
function steps({ min, max }: Range, step: number): readonly number[] | null {
  const [first, last] = [Math.ceil(min / step), Math.floor(max / step)];
  if (tooManyRuns(last - first + 1) !== null) return null;
  return Array.from({ length: last - first + 1 }, (_, i) => multiple((first + i) * step, step));
}

/** The choices of all parameters by dotted path; nested `parameters` are sections. */
function choicesOf(
  parameters: Readonly<Record<string, unknown>>,
  at: readonly string[],
): [string, Choice, string[]][] {
  return Object.entries(parameters).flatMap(([name, given]): [string, Choice, string[]][] => {
    const segments = [...at, name];
    const result = checkSpec(Parameter, given, segments);
    if (!result.success) throw new SpecError(result.issues, "sweep");
    const { parameters: nested } = result.data;
    if (nested)
      return choicesOf(nested, [...segments, "parameters"]).map(([path, ...rest]) => [
        `${name}.${path}`,
        ...rest,
      ]);
    return [[name, choiceOf(result.data, segments), segments]];
  });
}

const RANDOM_SEED = { seed: 0, stream: "sweep" } as const;

/**
 * The settings that a W&B sweep tries: all of a grid, or `run_cap` random ones, each once. They are the same each time.
 * @throws SpecError naming the parameter.
 */
export function wandbSettings({ method, parameters, run_cap }: WandbSweep): readonly Setting[] {
  const choices = choicesOf(parameters, ["parameters"]);
  if (choices.length === 0) fail(["parameters"], "missing", "is empty; list at least one parameter");
  if (method === "random") {
    if (run_cap === undefined)
      return fail(
        ["run_cap"],
        "missing",
        "missing; method random needs run_cap, the number of settings to draw",
      );
    requireFew(run_cap, ["run_cap"]);
    const random = new Random(RANDOM_SEED);
    const drawn = Array.from(
      { length: run_cap },
      (): Setting => Object.fromEntries(choices.map(([path, { draw }]) => [path, draw(random)])),
    );
    return [...new Map(drawn.map((setting) => [JSON.stringify(setting), setting])).values()];
  }
  if (method === "bayes")
    return fail(
      ["method"],
      "unsupported",
      "found bayes, which chooses a setting by the results before it; use random with run_cap, or search while training with training.hpo: search",
    );
  if (method !== "grid")
    return fail(
      ["method"],
      "value",
      `found ${show(method)}${alternatives("method", method, { names: ["grid", "random"] })}`,
    );
  const lists = Object.fromEntries(
    choices.map(([path, { values }, segments]) => [
      path,
      values ??
        fail(
          segments,
          "rule",
          "cannot be listed for method grid; give values, or use method random with run_cap",
        ),
    ]),
  );
  requireFew(combinationsOf(lists), ["parameters"]);
  return grid(lists).slice(0, run_cap);
}

function requireFew(runs: number, segments: readonly string[]): void {
  const problem = tooManyRuns(runs);
  if (problem !== null) fail(segments, "range", problem);
}
