/** Issues that others hide: sections are checked together only once each of them is valid. */
import type { SpecIssue } from "../specs/checks.ts";
import { isMapping } from "../specs/messages.ts";

type Mapping = Readonly<Record<string, unknown>>;

/** A manifest in which known problems are mended. */
export interface Mended {
  readonly manifest: Mapping;
  /** Names of fields that were left out or renamed: the text does not have what is said of them. */
  readonly left: readonly string[];
}

/** Changes the mapping that holds the last of some segments; a list counts as a value of its own. */
function changedAt(
  node: Mapping,
  [key, ...rest]: readonly (string | number)[],
  change: (parent: Mapping, key: string, isExact: boolean) => Mapping,
): Mapping {
  if (typeof key !== "string" || !Object.hasOwn(node, key)) return node;
  const below = node[key];
  if (rest.length === 0 || !isMapping(below)) return change(node, key, rest.length === 0);
  return { ...node, [key]: changedAt(below, rest, change) };
}

function without(node: Mapping, key: string): Mapping {
  const { [key]: _, ...others } = node;
  return others;
}

/**
 * Replaces names by those that were probably meant, and leaves out other values that no field may have. A rule between
 * fields says not which of them is wrong.
 */
export function mended(manifest: Mapping, issues: readonly SpecIssue[]): Mended {
  const left: string[] = [];
  const made = issues.reduce<Mapping>(
    (before, { code, segments, suggestion }) =>
      code === "missing" || code === "rule"
        ? before
        : changedAt(before, segments, (parent, key, isExact) => {
            if (isExact && suggestion !== undefined) {
              if (code !== "unknown_key") return { ...parent, [key]: suggestion };
              if (!Object.hasOwn(parent, suggestion)) {
                left.push(suggestion);
                return { ...without(parent, key), [suggestion]: parent[key] };
              }
            }
            left.push(key);
            return without(parent, key);
          }),
    manifest,
  );
  return { manifest: made, left };
}

const isWithin = (inner: SpecIssue, outer: SpecIssue): boolean =>
  outer.segments.every((segment, at) => inner.segments[at] === segment);

const mentions = (message: string, name: string): boolean => message.split(/[^\w]+/).includes(name);

/** Whether a field is missing beside a known problem: a field that was always missing is among the first issues. */
const isMissingBeside = (issue: SpecIssue, known: readonly SpecIssue[]): boolean =>
  issue.code === "missing" &&
  known.some(({ segments }) => {
    const parent = issue.segments.slice(0, -1);
    return segments.length > parent.length && parent.every((segment, at) => segments[at] === segment);
  });

/** Of the issues of a mended manifest, those that neither repeat a known one nor are about what was left out or renamed. */
export const hiddenIssues = (
  found: readonly SpecIssue[],
  known: readonly SpecIssue[],
  left: readonly string[],
): readonly SpecIssue[] =>
  found.filter(
    (issue) =>
      !known.some((one) => isWithin(issue, one) || isWithin(one, issue)) &&
      !isMissingBeside(issue, known) &&
      !left.some((name) => issue.segments.includes(name) || mentions(issue.message, name)),
  );
