/** Buffers of a member's programs that belong to its lanes, and how a turn joins those before and after it there. */
import { and, equal, state, type Tensor } from "../../kernels/index.ts";

/**
 * Buffers, i32: `carried` is 1 where lanes go on as an earlier turn left them, `lasting` where a later turn may go on with
 * them.
 */
export const LANES = { carried: "lanes.carried", lasting: "lanes.lasting" } as const;

const flag = (name: string): Tensor => state(name, [], { dtype: "i32" }).read();

/** Whether the lanes' episodes end with the turn, bool. */
export const lanesEnd = (): Tensor => equal(flag(LANES.lasting), 0);

/** Whether the lanes begin with the turn's step of a number, bool. */
export const lanesBegin = (step: Tensor): Tensor => and(equal(step, 0), equal(flag(LANES.carried), 0));

/** Begins the names of the buffers of recurrent state. */
export const RECURRENT = "memory.";

/** Correlated noise, which begins with its mean. */
export const DRIFT = "noise.drift";
/** Returns of the running episodes, [lanes]. */
export const RUNNING = "episode.running";

/** Begins the names of buffers with positions of self-play. */
export const POSITIONS = "positions.";

const OF_LANES = ["env.", RUNNING, DRIFT, "normalize.returns", POSITIONS];

/** Whether a buffer belongs to the lanes: to those of a slot (`lane`), or of one member (`memory`). */
export function laneBuffer(name: string): "lane" | "memory" | null {
  if (name.startsWith(RECURRENT)) return "memory";
  return OF_LANES.some((start) => name.startsWith(start)) ? "lane" : null;
}
