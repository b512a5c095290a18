import type { EnvironmentCall, Finding } from "./messages.ts";

/** What stops a walk. */
export class FindingError extends Error {
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.what);
    this.name = "FindingError";
    this.finding = finding;
  }
}

/** Makes a call; what it throws is a finding. */
export function at<T>(call: EnvironmentCall, step: number | null, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new FindingError(faultOf(error, call, step));
  }
}

/** "place: found A, allowed B" is how everything here says what is wrong; what a module throws may say anything. */
function faultOf(error: unknown, call: EnvironmentCall, step: number | null): Finding {
  const what = error instanceof Error ? error.message : String(error);
  const [, found = what, allowed = "no error"] =
    /: (\S*: found .*|found .*|threw .*?)(?:, allowed (.*))?$/s.exec(what) ?? [];
  return { level: "error", call, step, found, allowed, what };
}
