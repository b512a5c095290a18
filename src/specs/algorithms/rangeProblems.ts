import { areCategories, type HyperparameterChoice, type RLHyperparameter } from "../MutationSpec.ts";
import { nearest } from "../names.ts";
import type { SpecIssueCode } from "../SpecError.ts";
import type { AlgorithmDefinition } from "./defineAlgorithm.ts";
import { type CategoryField, categoryFields, numericFields } from "./numericFields.ts";

/** A problem with the range in which a hyperparameter may mutate. */
export interface RangeProblem {
  /** The bound that is wrong; null for the hyperparameter itself. */
  readonly bound: "min" | "max" | "choices" | null;
  readonly message: string;
  readonly code: SpecIssueCode;
  readonly suggestion?: string;
}

type Range = Pick<RLHyperparameter, "min" | "max"> & {
  readonly choices?: readonly HyperparameterChoice[] | null;
};

/** Problems with a name of no field that may mutate, or with a range or choices beyond the field's own. */
export function rangeProblems(
  algorithm: Pick<AlgorithmDefinition, "name" | "schema">,
  name: string,
  range: Range,
): RangeProblem[] {
  const { min, max, choices = null } = range;
  const fields = numericFields(algorithm.schema);
  const categories = categoryFields(algorithm.schema);
  const names = [...fields, ...categories].map((candidate) => candidate.name);
  const category = categories.find((candidate) => candidate.name === name);
  if (category) return categoryProblems(category, range);
  const field = fields.find((candidate) => candidate.name === name);
  if (field === undefined) {
    const allowed = `allowed: ${names.join(", ")}`;
    if (Object.hasOwn(algorithm.schema.shape, name)) {
      const message = `"${name}" of ${algorithm.name} cannot mutate; ${allowed}`;
      return [{ bound: null, code: "value", message }];
    }
    const suggestion = nearest(name, names);
    const near = suggestion === undefined ? "" : `; did you mean "${suggestion}"?`;
    const message = `"${name}" is not a field of ${algorithm.name}${near}; ${allowed}`;
    return [
      { bound: null, code: "unknown_key", message, ...(suggestion === undefined ? {} : { suggestion }) },
    ];
  }
  if (areCategories(choices)) {
    const message = `found ${choices?.join(", ")}; ${name} is a number`;
    return [{ bound: "choices", code: "type", message }];
  }
  const { kind, minimum, maximum } = field;
  const problems: RangeProblem[] = [];
  if (kind === "int") {
    const fractions = choices?.filter((choice) => !Number.isInteger(choice)) ?? [];
    if (fractions.length > 0) {
      const message = `found ${fractions.join(", ")}; ${name} is an integer`;
      problems.push({ bound: "choices", code: "type", message });
    } else if (Math.ceil(min) > Math.floor(max)) {
      const message = `found ${min}; ${name} is an integer, and there is none up to max (${max})`;
      problems.push({ bound: "min", code: "range", message });
    }
  }
  if (minimum !== null && min < minimum) {
    const message = `found ${min}; ${name} must be at least ${minimum}`;
    problems.push({ bound: "min", code: "range", message });
  }
  if (maximum !== null && max > maximum) {
    const message = `found ${max}; ${name} must be at most ${maximum}`;
    problems.push({ bound: "max", code: "range", message });
  }
  return problems;
}

function categoryProblems({ name, values }: CategoryField, { choices = null }: Range): RangeProblem[] {
  const allowed = `allowed are choices among ${values.join(", ")}`;
  if (!areCategories(choices))
    return [{ bound: null, code: "type", message: `${name} has no range of numbers; ${allowed}` }];
  return (choices ?? [])
    .filter((choice) => !values.some((value) => value === choice))
    .map((choice) => ({
      bound: "choices",
      code: "value",
      message: `found ${JSON.stringify(choice)}; ${allowed}`,
    }));
}

/** What to say of an initial value outside the range in which it mutates; null for one inside. */
export function outsideRange(value: unknown, { min, max, choices = null }: Range): string | null {
  if (areCategories(choices)) {
    if (value === undefined || choices?.some((choice) => choice === value)) return null;
    return `is ${JSON.stringify(value)}, none of the choices among which it mutates (${choices?.join(", ")})`;
  }
  if (typeof value !== "number" || (value >= min && value <= max)) return null;
  return `is ${value}, outside the range in which it mutates (${min} to ${max}): its first mutation moves it inside`;
}
