import type { z } from "zod";
import { checkSpec, SpecError, type SpecIssue, validateManifest } from "../../src/manifests/index.ts";

/** The issues of an input that must be invalid. */
export function issuesOf(schema: z.ZodType, input: unknown): SpecIssue[] {
  const result = checkSpec(schema, input);
  if (result.success) throw new Error(`accepted: ${JSON.stringify(input)}`);
  return result.issues;
}

/** The only issue of an input that must have exactly one. */
export function issueOf(schema: z.ZodType, input: unknown): SpecIssue {
  return only(issuesOf(schema, input));
}

/** A valid manifest with some sections replaced by `parts`. */
export function manifestWith(parts: Record<string, unknown>): Record<string, unknown> {
  return { algorithm: { name: "DQN" }, environment: { name: "CartPole-v1" }, ...parts };
}

/** The issues of a manifest that must be invalid. */
export function manifestIssues(input: string | Record<string, unknown>): readonly SpecIssue[] {
  const result = validateManifest(input);
  if (result.success) throw new Error(`accepted: ${JSON.stringify(input)}`);
  return result.issues;
}

/** The only issue of {@link manifestWith} `parts`. */
export function sectionIssue(parts: Record<string, unknown>): SpecIssue {
  return only(manifestIssues(manifestWith(parts)));
}

/** The {@link SpecError} that `run` throws. */
export function specErrorOf(run: () => unknown): SpecError {
  try {
    run();
  } catch (error) {
    if (error instanceof SpecError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function only(issues: readonly SpecIssue[]): SpecIssue {
  const [issue, ...more] = issues;
  if (issue === undefined || more.length > 0)
    throw new Error(`expected one issue: ${JSON.stringify(issues)}`);
  return issue;
}
