/** Resolves when nobody holds the run's lock: that of a terminated worker is given back a while after its end. */
export async function untilFree(id: string): Promise<void> {
  await navigator.locks.request(`run:${id}`, () => undefined);
}
