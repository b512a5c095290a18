import type { EnvironmentCall, Finding } from "./messages.ts";

/** Stops a validation walk and carries its finding. */
export class FindingError extends Error {
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.what);
    this.name = "FindingError";
    this.finding = finding;
  }
}

/** Runs `make` and converts any error it throws into a `FindingError`. */
export function at<T>(call: EnvironmentCall, step: number | null, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new FindingError(faultOf(error, call, step));
  }
}

/** rlkit's messages have the form "place: found A, allowed B"; a user's module may throw any text. */
function faultOf(error: unknown, call: EnvironmentCall, step: number | null): Finding {
  const what = error instanceof Error ? error.message : String(error);
  const [, found = what, allowed = "a call that ends without an error"] =
    /: (\S*: found .*|found .*|threw .*?)(?:, allowed (.*))?$/s.exec(what) ?? [];
  return { level: "error", call, step, found, allowed, what };
}
