import { RemoteApiError } from "../errors/RemoteError.ts";

/** Seconds that the first line may take, which waits for the connection too. */
const FIRST_SECONDS = 60;

/**
 * The lines, as long as one comes in time. The time that their reader takes does not count.
 * @param end Ends the connection that they come over.
 * @throws RemoteApiError (status 0) when none comes for `seconds`, the first one for at least a minute; what reading them
 *   throws.
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
          reject(new RemoteApiError({ detail: `no line came for ${limit} s`, status_code: 0 }));
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
