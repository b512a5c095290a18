import { bytesOf, shorten, shortenToBytes } from "./plain.ts";

/** The kind of problem that a {@link SpecIssue} reports. */
export type SpecIssueCode =
  | "missing"
  | "type"
  | "range"
  | "value"
  | "unknown_key"
  | "unsupported"
  | "rule"
  | "syntax";

/** One problem in a spec or manifest, at one place. */
export interface SpecIssue {
  code: SpecIssueCode;
  /** Dotted path with list indices as `[i]`, spelt as in the input; `""` is the whole document. */
  path: string;
  /** The keys and indices that `path` is built from. */
  segments: readonly (string | number)[];
  /** What was found, what is allowed and, if there is a close match, the name that was probably meant. */
  message: string;
  found?: unknown;
  allowed?: string;
  /** The nearest known name for an unknown key or value. */
  suggestion?: string;
  /** Number of problems that this one stands for, if the rest are not listed (default: 1). */
  more?: number;
  /** 1-based position; only for text input. */
  line?: number;
  column?: number;
}

/** Thrown for the value of one field or option; `message` begins with its name. */
export class FieldError extends RangeError {
  readonly field: string;
  /** What was found, what is allowed and what to do. */
  readonly detail: string;

  /** @param place The field's name in the message, if that says more. */
  constructor(
    field: string,
    detail: string,
    { place = field, cause }: { place?: string; cause?: unknown } = {},
  ) {
    super(`${place}: ${detail}`, cause === undefined ? undefined : { cause });
    this.field = field;
    this.detail = detail;
  }
}

/** Maximum characters shown of a key and of a whole path. */
const MOST_OF_KEY = 80;
const MOST_OF_PATH = 200;
/** Maximum bytes of one issue's message: with its path, less than those of a whole message. */
const MOST_OF_MESSAGE = 3_000;

/** One issue's message, cut to a readable length. */
const readable = (message: string): string => shortenToBytes(message, MOST_OF_MESSAGE);

/** Writes keys and indices as a dotted path: `["a", "b", 0]` is `a.b[0]`. Long keys are cut short. */
export function dottedPath(segments: readonly (string | number)[]): string {
  let path = "";
  for (const segment of segments) {
    if (typeof segment === "number") path += `[${segment}]`;
    else path += `${path === "" ? "" : "."}${shorten(segment, MOST_OF_KEY)}`;
    if (path.length > MOST_OF_PATH) return shorten(path, MOST_OF_PATH);
  }
  return path;
}

function issueLine(issue: SpecIssue): string {
  const position = issue.line === undefined ? "" : ` (line ${issue.line}, column ${issue.column})`;
  return `${issue.path === "" ? "" : `${issue.path}: `}${readable(issue.message)}${position}`;
}

/** Maximum bytes of a whole message. */
const MOST_BYTES = 4_000;

/** Number of problems, including unlisted ones that issues stand for. */
const countOf = (issues: readonly SpecIssue[]): number => issues.reduce((sum, { more = 1 }) => sum + more, 0);

/** The first issues that fit into a message, one per line, and the number of remaining ones. */
function listed(issues: readonly SpecIssue[]): string {
  // Room for the line that counts the rest.
  let left = MOST_BYTES - 100;
  const fitting: string[] = [];
  const told = new Set<string>();
  for (const issue of issues) {
    const { code, allowed = "" } = issue;
    const isTold = code === "unknown_key" && allowed !== "" && told.has(allowed);
    const message = isTold ? issue.message.replace(allowed, "those above") : issue.message;
    told.add(allowed);
    const line = `  ${issueLine({ ...issue, message })}`;
    left -= bytesOf(line) + 1;
    if (issue.more !== undefined || (left < 0 && fitting.length > 0)) break;
    fitting.push(line);
  }
  const more = countOf(issues.slice(fitting.length));
  return [...fitting, ...(more > 0 ? [`  and ${more} more`] : [])].join("\n");
}

/**
 * Thrown for invalid specs and manifests; `message` lists the issues, one per line, in at most 4 kB.
 *
 * @example
 * ```ts
 * try {
 *   parseManifest("algorithm: { name: DQNN }");
 * } catch (error) {
 *   if (error instanceof SpecError) for (const { path, message } of error.issues) console.error(path, message);
 *   else throw error;
 * }
 * ```
 */
export class SpecError extends Error {
  readonly issues: readonly SpecIssue[];

  /** @param subject Name of the invalid input for the first line of the message, such as "manifest". */
  constructor(issues: readonly SpecIssue[], subject = "configuration") {
    const [only, ...others] = issues;
    super(
      only && others.length === 0
        ? `Invalid ${subject}: ${issueLine(only)}`
        : `Invalid ${subject} (${countOf(issues)} problems):\n${listed(issues)}`,
    );
    this.name = "SpecError";
    this.issues = issues;
  }
}

/** Maximum number of problems listed for one document; a reader fixes the first ones first. */
export const MOST_ISSUES = 100;

/** The issue that stands for problems that are not listed. @internal */
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
