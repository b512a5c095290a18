/** Work under way in this thread, by name: the next of a name waits for the one before. */
const underWay = new Map<string, Promise<unknown>>();

/** Does one thing of a name at a time, over all tabs of a browser. */
export async function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = underWay.get(name) ?? Promise.resolve();
  const own = before
    .catch(() => undefined)
    .then(() => {
      // The DOM's types claim they are always there; in Node they are not.
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
