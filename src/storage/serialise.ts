/**
 * Runs the work for each key one at a time, each after the previous one has settled.
 * Different keys run concurrently.
 */
export function serialiser(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const tails = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = tails.get(key);
    const turn = (async () => {
      await before;
      return work();
    })();
    const tail = turn.catch(() => undefined);
    tails.set(key, tail);
    try {
      return await turn;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}
