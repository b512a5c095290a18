/** The option of every environment that makes its observations stacks of the latest ones. */
import { type Space, stackedSpace } from "../../spaces.ts";
import type { EnvironmentOptions } from "./HostEnvironment.ts";

/**
 * Name of the option: how many observations are stacked. Its namespace keeps it apart from an option `frame_stack`
 * that an environment may have itself.
 */
export const FRAME_STACK = "rlkit/frame_stack";

/** Most observations in a stack. */
const MOST_FRAMES = 256;

/**
 * Checks the size of a stack.
 * @throws RangeError for a size that is not an integer from 1 to 256.
 */
export function requireFrames(id: string, frames: unknown): number {
  if (typeof frames === "number" && Number.isInteger(frames) && frames >= 1 && frames <= MOST_FRAMES)
    return frames;
  throw new RangeError(
    `${id}: frame_stack: found ${String(frames)}, allowed integers from 1 to ${MOST_FRAMES}`,
  );
}

/**
 * The stack's size in an environment's options (1: no stack), and the other options.
 * @throws RangeError as {@link requireFrames}.
 */
export function frameStackOf(id: string, options: EnvironmentOptions) {
  const { [FRAME_STACK]: frames = 1, ...others } = options;
  return { frames: requireFrames(id, frames), others };
}

/** The space of an environment's stacks. @throws RangeError naming its id for observations that are not stacked. */
export function stackedObservations(id: string, space: Space, frames: number): Space {
  try {
    return stackedSpace(space, frames);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`${id}: frame_stack: ${error.message}`, { cause: error });
  }
}
