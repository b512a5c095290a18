import { opponentsIn } from "../agents/classes.ts";
import { usageError } from "./CliIo.ts";

/** As `opponentsIn`. @throws CliError for an option of games that the environment does not allow. */
export function metBy(...given: Parameters<typeof opponentsIn>): ReturnType<typeof opponentsIn> {
  try {
    return opponentsIn(...given);
  } catch (error) {
    throw error instanceof RangeError ? usageError(`--${error.message}`) : error;
  }
}
