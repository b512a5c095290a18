import { RemoteApiError } from "../errors/RemoteError.ts";

/** Minimum time limit of the first line in seconds, because it includes connecting. */
const FIRST_SECONDS = 60;

/**
 * Passes the lines through while they arrive in time. The consumer's own time does not count.
 * @param end Closes the connection.
 * @throws RemoteApiError (status 0) if no line arrives for `seconds`, or for at least a minute in case of the
 *   first line; errors of reading the lines.
 */
export async function* withoutSilence(
  lines: AsyncIterable<string>,
  seconds: number,
  end: () => void,
): AsyncGenerator<string, void, undefined> {
  let limit = Math.max(seconds, FIRST_SECONDS);
  const iterator = lines[Symbol.asyncIterator]();
  try {
    for (;;) {
      let handle: ReturnType<typeof setTimeout> | undefined;
      const silence = new Promise<never>((_, reject) => {
        handle = setTimeout(() => {
          reject(new RemoteApiError({ detail: `no data received for ${limit} s`, status_code: 0 }));
          end();
        }, limit * 1000);
      });
      const next = await Promise.race([iterator.next(), silence]).finally(() => clearTimeout(handle));
      if (next.done) return;
      limit = seconds;
      yield next.value;
    }
  } finally {
    await iterator.return?.(undefined).catch(() => undefined);
  }
}
