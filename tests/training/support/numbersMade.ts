import { expect, vi } from "vitest";

/** Arrays of numbers that are made while `act` runs, in all. */
export function numbersMade(act: () => void): number {
  let made = 0;
  const restore = (["Float32Array", "Float64Array", "Int32Array", "Uint32Array"] as const).map((name) => {
    const own = globalThis[name];
    const counting = new Proxy(own, {
      construct(target, args: [number], newTarget: typeof own) {
        const array = Reflect.construct(target, args, newTarget) as Float32Array;
        made += array.length;
        return array;
      },
    });
    vi.stubGlobal(name, counting);
    return own;
  });
  try {
    act();
  } finally {
    vi.unstubAllGlobals();
  }
  expect(restore).toHaveLength(4);
  return made;
}
