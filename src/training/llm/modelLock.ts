/**
 * Keeps answers of the workbench's chat and work of runs apart, in all tabs of a browser. Turns of runs share the lock; an
 * answer has it alone, between two of them. Locks are granted in the order of the requests, so neither waits for ever.
 */
import { isNode } from "../../storage/files.ts";

const NAME = "rlkit language model";

/** Without a page there is no chat to wait for. */
const locks = (): LockManager | undefined => (isNode() ? undefined : globalThis.navigator?.locks);

/** Does a part of a member's turn, while no chat answers. */
export const betweenAnswers = <T>(work: () => Promise<T>): Promise<T> =>
  (locks()?.request(NAME, { mode: "shared" }, work) as Promise<T> | undefined) ?? work();

/**
 * Does work while no member's turn does.
 * @param onQueued Called if it has to wait for a turn or another answer.
 * @throws DOMException AbortError if `signal` aborts before it begins.
 */
export async function betweenTurns<T>(
  work: () => Promise<T>,
  { onQueued, signal }: { readonly onQueued: () => void; readonly signal: AbortSignal },
): Promise<T> {
  const found = locks();
  if (found === undefined) return work();
  const begun: { readonly value: T } | null = await found.request(
    NAME,
    { ifAvailable: true },
    async (lock) => (lock === null ? null : { value: await work() }),
  );
  if (begun !== null) return begun.value;
  onQueued();
  return found.request(NAME, { signal }, work) as Promise<T>;
}
