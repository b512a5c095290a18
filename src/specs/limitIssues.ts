import { countOf, readable, type SpecIssue } from "./SpecError.ts";

/** Problems that are listed of one document; a reader mends the first ones first. */
export const MOST_ISSUES = 100;

/** What is said of problems that are not listed. */
export const moreProblems = (more: number, what = "problem") =>
  ({
    code: "rule",
    message: `${more} more ${what}${more === 1 ? " is" : "s are"} not listed`,
    more,
  }) as const;

/** The first problems, their messages of readable length, and how many more there are. */
export function limitIssues(issues: readonly SpecIssue[]): SpecIssue[] {
  const listed = issues.slice(0, MOST_ISSUES).map((issue) => ({
    ...issue,
    message: readable(issue.message),
  }));
  if (issues.length > MOST_ISSUES)
    listed.push({ path: "", segments: [], ...moreProblems(countOf(issues.slice(MOST_ISSUES))) });
  return listed;
}
