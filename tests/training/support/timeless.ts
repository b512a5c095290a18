/** What the clock alone decides. */
const OF_THE_CLOCK = new Set([
  ...["at", "seconds", "steps_per_second", "learn_steps_per_second"],
  ...["milliseconds", "worker", "started"],
]);

/** Reports or outcomes without what two runs of the same seed differ in. */
export function timeless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(timeless);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !OF_THE_CLOCK.has(name));
  return Object.fromEntries(kept.map(([name, part]) => [name, timeless(part)]));
}
