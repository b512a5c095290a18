import type { WasmArena } from "../../kernels/wasm/device.ts";
import type { Rollout } from "./RolloutBuffer.ts";

const FIELDS = ["obs", "next_obs", "action", "log_prob", "reward", "terminated", "done"] as const;

/** Copies a roll-out into the buffers of a learning program; all choices are legal where it has no mask. */
export function writeRollout(arena: WasmArena, rollout: Rollout): void {
  for (const field of FIELDS) requireLength(arena, field, rollout[field]);
  for (const field of FIELDS) arena.write(`rollout.${field}`, rollout[field]);
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
