import { TimeoutError } from "../../evolution/TimeoutError.ts";

export interface Deadline {
  /** Null waits for ever. */
  readonly seconds: number | null;
  /** What the round does, for the message, such as "step of turn 2". */
  readonly what: string;
}

/** Trajectories that a message names; the rest is counted. */
const MOST_NAMED = 16;
/** As long as a timer can wait, in milliseconds. */
const LONGEST_WAIT = 2 ** 31 - 1;

/**
 * Waits for one concurrent round of resets or steps, one promise a trajectory.
 *
 * @returns Their values, in the same order.
 * @throws TimeoutError past the deadline, naming how many of how many and which trajectories did not finish; the error
 *   of the first that fails. What has not settled is left behind: JavaScript cannot end it.
 */
export function withDeadline<T>(round: readonly PromiseLike<T>[], { seconds, what }: Deadline): Promise<T[]> {
  const waiting = new Set(round.keys());
  const settled = Promise.all(
    round.map(async (promise, trajectory) => {
      const value = await promise;
      waiting.delete(trajectory);
      return value;
    }),
  );
  if (seconds === null) return settled;
  return new Promise((resolve, reject) => {
    const late = () => {
      const named = [...waiting].slice(0, MOST_NAMED).join(", ");
      const more = waiting.size > MOST_NAMED ? ` and ${waiting.size - MOST_NAMED} more` : "";
      reject(
        new TimeoutError(
          `${what}: ${waiting.size} of ${round.length} did not finish within ${seconds} s: trajectories ${named}${more}`,
        ),
      );
    };
    const timer = setTimeout(late, Math.min(seconds * 1000, LONGEST_WAIT));
    settled.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
