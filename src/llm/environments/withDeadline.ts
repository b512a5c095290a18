import { TimeoutError } from "../../evolution/members.ts";

export interface Deadline {
  /** `null` means no limit. */
  readonly seconds: number | null;
  /** The round's task for messages, such as "step of turn 2". */
  readonly what: string;
}

/** Number of trajectories that a message lists; the rest are only counted. */
const MOST_NAMED = 16;
/** Longest time of a timer, in milliseconds. */
const LONGEST_WAIT = 2 ** 31 - 1;

/**
 * Waits for one concurrent round of resets or steps, with one promise per trajectory.
 *
 * @returns The values in the same order.
 * @throws TimeoutError past the deadline, with the number and names of the unfinished trajectories;
 *   the error of the first promise that rejects. Promises that have not settled are abandoned:
 *   JavaScript cannot cancel them.
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
