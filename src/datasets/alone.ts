/** Pending work in this thread by name. Work with the same name runs in sequence. */
const underWay = new Map<string, Promise<unknown>>();

/** Runs work of one name at a time, across all tabs of a browser. */
export async function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = underWay.get(name) ?? Promise.resolve();
  const own = before
    .catch(() => undefined)
    .then(() => {
      // The DOM's types claim that these always exist; in Node they may not.
      const locks: LockManager | undefined = globalThis.navigator?.locks;
      return locks === undefined ? work() : (locks.request(`rlkit ${name}`, work) as Promise<T>);
    });
  underWay.set(name, own);
  try {
    return await own;
  } finally {
    if (underWay.get(name) === own) underWay.delete(name);
  }
}
