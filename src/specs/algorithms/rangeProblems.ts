import type { RLHyperparameter } from "../MutationSpec.ts";
import { nearest } from "../names.ts";
import type { SpecIssueCode } from "../SpecError.ts";
import type { AlgorithmDefinition } from "./defineAlgorithm.ts";
import { numericFields } from "./numericFields.ts";

/** A problem with the range in which a hyperparameter may mutate. */
export interface RangeProblem {
  /** The bound that is wrong; null for the hyperparameter itself. */
  readonly bound: "min" | "max" | null;
  readonly message: string;
  readonly code: SpecIssueCode;
  readonly suggestion?: string;
}

/** Problems with a name that is not a numeric field, or with a range beyond the field's own bounds. */
export function rangeProblems(
  algorithm: Pick<AlgorithmDefinition, "name" | "schema">,
  name: string,
  { min, max }: Pick<RLHyperparameter, "min" | "max">,
): RangeProblem[] {
  const fields = numericFields(algorithm.schema);
  const names = fields.map((candidate) => candidate.name);
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
  const { minimum, maximum } = field;
  const problems: RangeProblem[] = [];
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

/** What to say of an initial value outside the range in which it mutates; null for one inside. */
export function outsideRange(
  value: unknown,
  { min, max }: Pick<RLHyperparameter, "min" | "max">,
): string | null {
  if (typeof value !== "number" || (value >= min && value <= max)) return null;
  return `is ${value}, outside the range in which it mutates (${min} to ${max}): its first mutation moves it inside`;
}
