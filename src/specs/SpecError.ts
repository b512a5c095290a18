import { bytesOf, shorten, shortenToBytes } from "./shorten.ts";

/** What kind of problem a {@link SpecIssue} reports. */
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
  /** Dotted place, list indices as `[i]`, spelt as in the input; `""` is the whole document. */
  path: string;
  /** The keys and indices that `path` is written from. */
  segments: readonly (string | number)[];
  /** What was found, what is allowed and, where one is near, the name that was probably meant. */
  message: string;
  found?: unknown;
  allowed?: string;
  /** The nearest known name for an unknown key or value. */
  suggestion?: string;
  /** How many problems this one stands for, where the rest of many is not listed; 1 unless given. */
  more?: number;
  /** 1-based position; only for text input. */
  line?: number;
  column?: number;
}

/** Characters of a key and of a whole path that are shown. */
const MOST_OF_KEY = 80;
const MOST_OF_PATH = 200;
/** Bytes of one issue's message: with its path less than those of a whole message. */
const MOST_OF_MESSAGE = 3_000;

/** One issue's message at a readable length. */
export const readable = (message: string): string => shortenToBytes(message, MOST_OF_MESSAGE);

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

/** Bytes of a whole message. */
const MOST_BYTES = 4_000;

/** Problems that are listed, and those that they stand for. */
export const countOf = (issues: readonly SpecIssue[]): number =>
  issues.reduce((sum, { more = 1 }) => sum + more, 0);

/** The first issues that fit into a message, one a line, and how many more there are. */
function listed(issues: readonly SpecIssue[]): string {
  // Room for the line that counts the rest.
  let left = MOST_BYTES - 100;
  const fitting: string[] = [];
  for (const issue of issues) {
    const line = `  ${issueLine(issue)}`;
    left -= bytesOf(line) + 1;
    if (issue.more !== undefined || (left < 0 && fitting.length > 0)) break;
    fitting.push(line);
  }
  const more = countOf(issues.slice(fitting.length));
  return [...fitting, ...(more > 0 ? [`  and ${more} more`] : [])].join("\n");
}

/**
 * Thrown for invalid specs and manifests; `message` lists the issues, one a line, in at most 4 kB.
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

  /** @param subject What was invalid, for the first line of the message, such as "manifest". */
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
