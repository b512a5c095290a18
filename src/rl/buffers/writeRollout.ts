import type { WasmArena } from "../../kernels/wasm/device.ts";
import type { Rollout } from "./RolloutBuffer.ts";

const FIELDS = ["obs", "next_obs", "action", "log_prob", "reward", "terminated", "done"] as const;

/**
 * Copies a roll-out into the buffers of a learning program; everything is legal where it has no mask.
 * @param hidden Names of what the agent's networks remember.
 * @throws RangeError naming the field whose length does not fit.
 */
export function writeRollout(arena: WasmArena, rollout: Rollout, hidden: readonly string[]): void {
  const memory = hidden.map((name) => [`memory.${name}`, rollout.hidden_state?.[name] ?? []] as const);
  const fields = [...FIELDS.map((field) => [field, rollout[field]] as const), ...memory];
  for (const [field, values] of fields) requireLength(arena, field, values);
  for (const [field, values] of fields) arena.write(`rollout.${field}`, values);
  if (!arena.has("rollout.mask")) return;
  const mask = arena.view("rollout.mask");
  if (rollout.action_mask) {
    requireLength(arena, "mask", rollout.action_mask);
    mask.set(rollout.action_mask);
  } else mask.fill(1);
}

/** @throws RangeError naming the field whose length does not fit. */
function requireLength(arena: WasmArena, field: string, values: ArrayLike<number>): void {
  const allowed = arena.view(`rollout.${field}`).length;
  if (values.length !== allowed)
    throw new RangeError(`rollout.${field}: found ${values.length} numbers, allowed ${allowed}`);
}
