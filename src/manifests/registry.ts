import {
  type AlgorithmDefinition,
  type NumericField,
  numericFields,
  publishedRange,
  scheduleProblems,
} from "../specs/algorithms.ts";
import { type HpoRange, parseSpec, SpecError, type SpecIssue } from "../specs/checks.ts";
import { explainName } from "../specs/messages.ts";
import type { RLHyperparameter } from "../specs/sections.ts";
import { AlgoSpec, type AlgoSpecInput } from "./AlgoSpec.ts";
import {
  canonicalName,
  findAlgorithm,
  KNOWN_ALGORITHMS,
  listAlgorithms,
  registeredAlgorithm,
} from "./names.ts";

/**
 * The definition of an algorithm, by any name that manifests may use ("Recurrent PPO" is PPO).
 *
 * @throws {@link SpecError} for a name that this build lacks, with the available ones.
 */
export function algorithmDefinition(name: string): AlgorithmDefinition {
  const found = findAlgorithm(canonicalName(name));
  if (found !== undefined) return found;
  const finding = explainName(
    "algorithm",
    name,
    listAlgorithms().map((algorithm) => algorithm.name),
    KNOWN_ALGORITHMS,
  );
  throw new SpecError([{ ...finding, path: "algorithm", segments: ["algorithm"] }]);
}

/**
 * Parses an algorithm spec from its name, with all defaults, or from its fields.
 *
 * @throws {@link SpecError} for unknown names and invalid fields, and for fields without effect on a schedule.
 */
export function parseAlgorithm(input: string | AlgoSpecInput): AlgoSpec {
  const spec = parsedAlgorithm(input);
  const issues = scheduleProblems({ ...spec }).map(
    ({ field, message }): SpecIssue => ({ code: "rule", path: field, segments: [field], message }),
  );
  if (issues.length > 0) throw new SpecError(issues, "algorithm");
  return spec;
}

function parsedAlgorithm(input: string | AlgoSpecInput): AlgoSpec {
  const own = registeredAlgorithm(typeof input === "string" ? input : input.name);
  if (own) {
    const fields = typeof input === "string" ? { name: input } : input;
    // The types know only the `name` of registered algorithms.
    return parseSpec(own.schema, fields, "algorithm") as unknown as AlgoSpec;
  }
  if (typeof input === "string") {
    algorithmDefinition(input);
    // The name may also imply settings: "Recurrent PPO" is PPO with memory.
    return parseSpec(AlgoSpec, { name: input } as AlgoSpecInput, "algorithm");
  }
  return parseSpec(AlgoSpec, input, "algorithm");
}

/**
 * The numeric fields of an algorithm that may mutate, in the order of its spec.
 *
 * @throws {@link SpecError} for an unknown algorithm.
 */
export function algorithmFields(name: string): NumericField[] {
  return numericFields(algorithmDefinition(name).schema);
}

/**
 * The published search range of a field, a hint for forms; `undefined` if there is none.
 *
 * @throws {@link SpecError} for an unknown algorithm.
 */
export function hpoRange(algorithm: string, field: string): HpoRange | undefined {
  return publishedRange(algorithmDefinition(algorithm).schema, field);
}

/** How hyperparameters of default ranges start and move. */
const STEPS = { initial: "value", scale: "linear", choices: null } as const;

/** Ends of ranges around 0 without a published search range. */
const NEAR_ZERO = { int: 4, float: 1 } as const;

/**
 * The mutation ranges used when neither `hp_config` nor `mutation.rl_hp_selection` gives any, around the spec's
 * own values v: reals from v/10 to 10v with factors 0.8 and 1.2, integers in [max(1, v div 4), 4v] with factors
 * 0.75 and 1.5. From 0, which factors never leave, they end where the field's published search range does, or else at
 * 1, for integers at 4.
 */
export function defaultHpRanges(spec: AlgoSpec): Record<string, RLHyperparameter> {
  const { schema, default_hp } = algorithmDefinition(spec.name);
  const values: Record<string, unknown> = { ...spec };
  const ranges: Record<string, RLHyperparameter> = {};
  for (const { name, kind, minimum, maximum } of numericFields(schema)) {
    const value = values[name];
    if (!default_hp.includes(name) || typeof value !== "number") continue;
    const [least, most] = [minimum ?? Number.NEGATIVE_INFINITY, maximum ?? Number.POSITIVE_INFINITY];
    const steps =
      kind === "int" ? { grow_factor: 1.5, shrink_factor: 0.75 } : { grow_factor: 1.2, shrink_factor: 0.8 };
    const bounds =
      value === 0
        ? [0, publishedRange(schema, name)?.max ?? NEAR_ZERO[kind]]
        : kind === "int"
          ? [Math.max(1, Math.floor(value / 4)), value * 4]
          : [value / 10, value * 10];
    const [min = 0, max = 0] = bounds.toSorted((a, b) => a - b);
    ranges[name] = { min: Math.max(min, least), max: Math.min(max, most), ...steps, ...STEPS };
  }
  return ranges;
}
