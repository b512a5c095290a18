import type { z } from "zod";
import { inputSpelling } from "./aliases.ts";
import { explain, type Finding } from "./explain.ts";
import { dottedPath, limitIssues, SpecError, type SpecIssue } from "./SpecError.ts";

type ZodIssue = z.core.$ZodIssue;

const keysOf = (path: readonly PropertyKey[]): (string | number)[] =>
  path.map((key) => (typeof key === "number" ? key : String(key)));

/** Custom issues carry their code, suggestion and the like in `params`. */
function customFinding(issue: ZodIssue): Finding {
  const params = issue.code === "custom" ? (issue.params as Partial<Finding> | undefined) : undefined;
  return { code: "rule", below: [], message: issue.message, ...params };
}

const FINDING = /^finding (\d+)$/;

function issuesOf(issue: ZodIssue, prefix: (string | number)[], findings: Finding[][]): SpecIssue[] {
  const at = [...prefix, ...keysOf(issue.path)];
  const index = FINDING.exec(issue.message)?.[1];
  const explained = index === undefined ? undefined : findings[Number(index)];
  if (explained === undefined) return [toIssue(customFinding(issue), at)];
  const option = explained[0]?.option;
  const nested = issue.code === "invalid_union" && option !== undefined ? issue.errors[option] : undefined;
  if (nested !== undefined) return nested.flatMap((inner) => issuesOf(inner, at, findings));
  return explained.map((finding) => toIssue(finding, at));
}

function toIssue(finding: Finding, at: (string | number)[]): SpecIssue {
  const { below, option: _, ...rest } = finding;
  const segments = [...at, ...below];
  return { ...rest, path: dottedPath(segments), segments };
}

/** The outcome of {@link checkSpec}. */
export type SpecResult<T> = { success: true; data: T } | { success: false; issues: SpecIssue[] };

/**
 * Validates `input` against a spec's schema without throwing.
 *
 * @param at Keys of the input's place in a larger document; every issue's path starts with them.
 */
export function checkSpec<S extends z.ZodType>(
  schema: S,
  input: unknown,
  at: readonly (string | number)[] = [],
): SpecResult<z.output<S>> {
  const findings: Finding[][] = [];
  // Zod hands the schema and the raw value only to this callback, so the explanation is made here and
  // found again through the message.
  const result = schema.safeParse(input, {
    error: (raw) => `finding ${findings.push(explain(raw, findings)) - 1}`,
  });
  if (result.success) return { success: true, data: result.data };
  const issues = result.error.issues.flatMap((issue) => issuesOf(issue, [], findings));
  return {
    success: false,
    issues: limitIssues(issues).map((issue) => {
      const segments = [...at, ...inputSpelling(input, issue.segments)];
      return { ...issue, segments, path: dottedPath(segments) };
    }),
  };
}

/**
 * Validates `input` and fills in defaults; the input itself is not changed.
 *
 * @param path Dotted path of the input in a larger document, for messages.
 * @throws {@link SpecError} listing every problem.
 */
export function parseSpec<S extends z.ZodType>(schema: S, input: unknown, path = ""): z.output<S> {
  const result = checkSpec(schema, input, path === "" ? [] : path.split("."));
  if (!result.success) throw new SpecError(result.issues, path === "" ? "configuration" : path);
  return result.data;
}
