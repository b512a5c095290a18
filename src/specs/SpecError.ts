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
  /** 1-based position; only for text input. */
  line?: number;
  column?: number;
}

/** Writes keys and indices as a dotted path: `["a", "b", 0]` is `a.b[0]`. */
export function dottedPath(segments: readonly (string | number)[]): string {
  let path = "";
  for (const segment of segments) {
    if (typeof segment === "number") path += `[${segment}]`;
    else path += path === "" ? segment : `.${segment}`;
  }
  return path;
}

function issueLine(issue: SpecIssue): string {
  const position = issue.line === undefined ? "" : ` (line ${issue.line}, column ${issue.column})`;
  return `${issue.path === "" ? "" : `${issue.path}: `}${issue.message}${position}`;
}

/** Thrown for invalid specs and manifests; `message` lists every issue, one a line. */
export class SpecError extends Error {
  readonly issues: readonly SpecIssue[];

  /** @param subject What was invalid, for the first line of the message, such as "manifest". */
  constructor(issues: readonly SpecIssue[], subject = "configuration") {
    const lines = issues.map(issueLine);
    super(
      lines.length === 1
        ? `Invalid ${subject}: ${lines[0]}`
        : `Invalid ${subject} (${lines.length} problems):\n${lines.map((line) => `  ${line}`).join("\n")}`,
    );
    this.name = "SpecError";
    this.issues = issues;
  }
}
