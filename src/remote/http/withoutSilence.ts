import { RemoteApiError } from "../errors/RemoteError.ts";

/** Time limits in seconds. */
export interface Silence {
  /** Until the first item. */
  readonly first: number;
  /** Between two items. */
  readonly later: number;
}

/**
 * Passes items through while they arrive in time. The consumer's own time does not count.
 * @param end Closes the connection.
 * @throws RemoteApiError (status 0) if no item arrives within the limit; errors of reading the items.
 */
export async function* withoutSilence<T>(
  items: AsyncIterable<T>,
  { first, later }: Silence,
  end: () => void,
): AsyncGenerator<T, void, undefined> {
  let limit = first;
  const iterator = items[Symbol.asyncIterator]();
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
      limit = later;
      yield next.value;
    }
  } finally {
    await iterator.return?.(undefined).catch(() => undefined);
  }
}
