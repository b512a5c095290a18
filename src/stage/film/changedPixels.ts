/** Positions of the pixels that differ from the picture before; all without one. */
export function changedPixels(now: Uint32Array, before: Uint32Array | null): Uint32Array {
  const changed = new Uint32Array(now.length);
  let count = 0;
  for (let at = 0; at < now.length; at++)
    if (before === null || before[at] !== now[at]) changed[count++] = at;
  return changed.subarray(0, count);
}
