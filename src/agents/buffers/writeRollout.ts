import type { WasmArena } from "../../kernels/devices.ts";
import { isPacked, numbersIn, observationField } from "../../rl/programs.ts";
import type { Space } from "../../rl/spaces.ts";
import type { FlatRollout, StoredRollout } from "./RolloutBuffer.ts";
import { firstNoByte, packRows } from "./replayRows.ts";

const OBSERVATIONS = ["obs", "next_obs"] as const;
const FIELDS = ["action", "log_prob", "reward", "terminated", "done"] as const;

export interface RolloutLayout {
  readonly observation_space: Space;
  /** Names of the tensors of the networks' recurrent state. */
  readonly hidden: readonly string[];
}

/**
 * Copies a rollout into the buffers of a learning program. Without a mask, all choices are legal; without
 * `present`, all agents took part.
 * @throws RangeError naming the field whose length or values do not fit.
 */
export function writeRollout(
  arena: WasmArena,
  rollout: FlatRollout | StoredRollout,
  { observation_space, hidden }: RolloutLayout,
): void {
  const memory = hidden.map((name) => [`memory.${name}`, rollout.hidden_state?.[name] ?? []] as const);
  const observations = OBSERVATIONS.map(
    (field) => [field, observationWords(arena, field, rollout, observation_space)] as const,
  );
  const fields = [...FIELDS.map((field) => [field, rollout[field]] as const), ...memory];
  for (const [field, values] of fields) requireLength(field, values, wordsOf(arena, field));
  for (const [field, values] of [...observations, ...fields]) arena.write(`rollout.${field}`, values);
  writeFlags(arena, "mask", rollout.action_mask);
  writeFlags(arena, "present", rollout.present);
}

/** Writes flags (default: all 1), if the program has a buffer for them. */
function writeFlags(arena: WasmArena, field: string, given: ArrayLike<number> | null | undefined): void {
  const name = `rollout.${field}`;
  if (!arena.has(name)) return;
  const flags = arena.view(name);
  if (!given) {
    flags.fill(1);
    return;
  }
  requireLength(field, given, flags.length);
  flags.set(given);
}

const wordsOf = (arena: WasmArena, field: string): number => arena.view(`rollout.${field}`).length;

/** Observations as the program stores them. */
function observationWords(
  arena: WasmArena,
  field: (typeof OBSERVATIONS)[number],
  rollout: FlatRollout | StoredRollout,
  space: Space,
): ArrayLike<number> {
  const values = rollout[field];
  if ("packing" in rollout && rollout.packing) {
    requireLength(field, values, wordsOf(arena, field));
    return values;
  }
  const observation = observationField(space);
  requireLength(field, values, wordsOf(arena, "done") * numbersIn(observation.shape));
  if (!isPacked(observation)) return values;
  const wrong = firstNoByte(values, observation);
  if (wrong !== undefined)
    throw new RangeError(`rollout.${field}: found ${wrong}, allowed whole numbers 0 to 255`);
  return packRows(values, observation);
}

/** @throws RangeError naming the field whose length does not fit. */
function requireLength(field: string, values: ArrayLike<number>, allowed: number): void {
  if (values.length !== allowed)
    throw new RangeError(`rollout.${field}: found ${values.length} numbers, allowed ${allowed}`);
}
