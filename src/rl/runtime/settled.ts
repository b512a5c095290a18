import type { Slice } from "./turn.ts";

/** What is given, at once or when the driver of the slices has waited for it. @throws What the promise rejects with. */
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

/** Apart from where it is set, where the compiler would take it for null still. */
function valueOf<T>(outcome: { readonly value: T } | { readonly error: unknown } | null): T {
  if (outcome === null) throw new Error("settled: the driver went on without waiting for slice.awaiting");
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}
