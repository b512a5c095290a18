import { algorithmDefinition } from "../../manifests/index.ts";
import { checkSpec } from "../../specs/checks.ts";
import { show } from "../../specs/messages.ts";
import type { AgentState } from "../member/agentState.ts";

/** @throws RangeError for a value that the spec of the agent's algorithm does not allow. */
export function requireHyperparameter(
  { algorithm, hyperparameters }: Pick<AgentState, "algorithm" | "hyperparameters">,
  name: string,
  value: unknown,
): void {
  const place = `hyperparameter "${name}" of ${algorithm}`;
  // A spec replaces undefined with a default; an agent does not.
  if (value === undefined) throw new RangeError(`${place}: found nothing, allowed a number`);
  const { schema } = algorithmDefinition(algorithm);
  const issuesOf = (changes: object) => {
    const result = checkSpec(schema, { name: algorithm, ...hyperparameters, ...changes });
    return result.success ? [] : result.issues;
  };
  const issues = issuesOf({ [name]: value });
  const [first] = issues.filter(({ path }) => path === name);
  if (first) throw new RangeError(`${place}: ${first.message}`);
  // Reports only a field that this change made inconsistent.
  const before = new Set(issuesOf({}).map(({ path }) => path));
  const other = issues.find(({ path }) => !before.has(path));
  if (other)
    throw new RangeError(`${place}: with ${show(value)}, ${other.path} does not fit: ${other.message}`);
}
