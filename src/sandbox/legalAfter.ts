import { type Info, infoMasks, type SyncVectorEnvironment } from "../rl/environments.ts";
import { FindingError } from "./FindingError.ts";

/**
 * The legal actions after a call, read as training reads them.
 * @param over As for `infoMasks`.
 * @throws FindingError for a mask that does not fit the actions.
 */
export function legalAfter(
  call: "reset" | "step",
  step: number,
  { single_action_space: space, name }: SyncVectorEnvironment,
  infos: readonly Info[],
  over: Uint8Array | null = null,
): Float32Array | null {
  try {
    return infoMasks(space, infos, over);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const [, found = reason, allowed = "a mask of the actions"] = /^(.*), allowed (.*)$/s.exec(reason) ?? [];
    const what = `${name}: env.${call}() at step ${step}: ${reason}`;
    throw new FindingError({ level: "error", call, step, found, allowed, what });
  }
}
