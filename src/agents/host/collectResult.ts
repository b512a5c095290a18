import { show } from "../../specs/messages.ts";
import type { CollectResult } from "./hostRollout.ts";

const PARTS = ["scores", "last_obs", "last_done", "last_scores", "last_info"] as const;

const isList = (value: unknown): boolean =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value);

const describe = (value: unknown): string =>
  value instanceof Promise ? "a promise" : ArrayBuffer.isView(value) ? value.constructor.name : show(value);

/**
 * Checks the result of a caller's rollout collector.
 * @throws TypeError unless the result is the five lists that a collector returns.
 */
export function requireCollected(result: unknown): CollectResult {
  const allowed = `allowed [${PARTS.join(", ")}], as collectRollouts returns them${
    result instanceof Promise ? ": collectors are not awaited" : ""
  }`;
  if (!Array.isArray(result) || result.length !== PARTS.length)
    throw new TypeError(`collect_rollouts_fn: returned ${describe(result)}, ${allowed}`);
  const wrong = PARTS.findIndex((_part, i) => !isList(result[i]));
  if (wrong >= 0) {
    const found = `${describe(result[wrong])} as ${PARTS[wrong]}`;
    throw new TypeError(`collect_rollouts_fn: returned ${found}, ${allowed}, each a list`);
  }
  return result as unknown as CollectResult; // Its five parts were just checked.
}
