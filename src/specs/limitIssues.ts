import { countOf, readable, type SpecIssue } from "./SpecError.ts";

/** Maximum number of problems listed for one document; a reader fixes the first ones first. */
export const MOST_ISSUES = 100;

/** The issue that stands for problems that are not listed. */
export const moreProblems = (more: number, what = "problem") =>
  ({
    code: "rule",
    message: `${more} more ${what}${more === 1 ? " is" : "s are"} not listed`,
    more,
  }) as const;

/** The first problems, with messages of readable length, and the number of remaining ones. */
export function limitIssues(issues: readonly SpecIssue[]): SpecIssue[] {
  const listed = issues.slice(0, MOST_ISSUES).map((issue) => ({
    ...issue,
    message: readable(issue.message),
  }));
  if (issues.length > MOST_ISSUES)
    listed.push({ path: "", segments: [], ...moreProblems(countOf(issues.slice(MOST_ISSUES))) });
  return listed;
}
