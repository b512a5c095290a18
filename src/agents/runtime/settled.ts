import type { Slice } from "./turn.ts";

/**
 * Returns a value at once, or a promise's result once the driver of the slices has awaited it.
 * @throws The reason that the promise rejects with.
 */
export function* settled<T>(given: T | Promise<T>): Generator<Slice, T> {
  if (!(given instanceof Promise)) return given;
  let outcome: { readonly value: T } | { readonly error: unknown } | null = null;
  const awaiting = given.then(
    (value) => {
      outcome = { value };
    },
    (error: unknown) => {
      outcome = { error };
    },
  );
  yield { env_steps: 0, learn_steps: 0, awaiting };
  return valueOf(outcome);
}

/** A separate function, because in `settled` the compiler would still narrow `outcome` to null. */
function valueOf<T>(outcome: { readonly value: T } | { readonly error: unknown } | null): T {
  if (outcome === null) throw new Error("settled: the driver went on without waiting for slice.awaiting");
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}
