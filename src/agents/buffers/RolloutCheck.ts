/** Checks of rollouts, and their way into the buffers of a learning program. */
import { isPacked, numbersIn, observationField } from "../../rl/programs.ts";
import {
  type AgentSpaces,
  Agents,
  Box,
  Discrete,
  describeValue,
  ElementCheck,
  firstNotFinite,
  isArrayLike,
  keysOf,
  type SingleAgentSpace,
  type Space,
} from "../../rl/spaces.ts";
import type { FlatRollout, FlatRolloutStep, StoredRollout } from "./RolloutBuffer.ts";
import { firstNoByte, packRows } from "./replayRows.ts";

const OBSERVATIONS = ["obs", "next_obs"] as const;
const NUMBERS = ["log_prob", "reward"] as const;
const FLAGS = ["terminated", "done"] as const;
const COPIED = ["action", ...NUMBERS, ...FLAGS] as const;
const FIELDS = [...OBSERVATIONS, ...COPIED] as const;
const OTHERS = ["action_mask", "present", "hidden_state"];

/** An invalid value: its field, its row in the rollout, and the message about it. */
interface RolloutFault {
  readonly field: string;
  /** Index over steps and lanes: step * num_envs + lane. */
  readonly row: number;
  readonly message: string;
}

/**
 * The space of a policy's samples: indices of choices from 0, whatever the environment's first choice is, and
 * any numbers for a Box, whose integers are rounded for the environment only.
 */
function samplesIn(space: SingleAgentSpace): SingleAgentSpace {
  if (space.kind === "Discrete") return new Discrete(space.n);
  return space.kind === "Box" ? new Box({ low: -Infinity, high: Infinity, shape: space.shape }) : space;
}

/** Checks the values of rollouts; lengths are checked elsewhere. */
export class RolloutCheck {
  readonly #observations: ElementCheck;
  readonly #actions: ElementCheck;

  /** Ids of several agents; null for a single agent. */
  readonly #ids: readonly string[] | null;

  constructor({ observation_space, action_space }: AgentSpaces) {
    this.#observations = new ElementCheck(observation_space);
    this.#actions = new ElementCheck(
      action_space.kind === "Agents"
        ? new Agents(
            Object.fromEntries(Object.entries(action_space.spaces).map(([id, own]) => [id, samplesIn(own)])),
          )
        : samplesIn(action_space),
    );
    this.#ids = observation_space.kind === "Agents" ? observation_space.ids : null;
  }

  /** The fault of a field with one number per lane, or per lane and agent. */
  #faultAt(field: string, at: number, found: unknown, allowed: string): RolloutFault {
    const ids = this.#ids;
    if (!ids) return faultOf(field, at, found, allowed);
    return faultOf(`${field}.${ids[at % ids.length]}`, Math.floor(at / ids.length), found, allowed);
  }

  /** The first invalid value; null if there is none. Packed observations were checked before. */
  fault(rollout: FlatRolloutStep): RolloutFault | null {
    for (const field of OBSERVATIONS) {
      const fault = rollout[field] instanceof Uint32Array ? null : this.#observations.fault(rollout[field]);
      if (fault) return faultOf(`${field}${fault.place}`, fault.row, fault.found, fault.allowed);
    }
    const action = this.#actions.fault(rollout.action);
    if (action) return faultOf(`action${action.place}`, action.row, action.found, action.allowed);
    for (const field of NUMBERS) {
      const at = firstNotFinite(rollout[field]);
      if (at >= 0) return this.#faultAt(field, at, rollout[field][at], "finite 32-bit numbers");
    }
    const { action_mask, terminated, done, present } = rollout;
    for (const [field, flags] of Object.entries({ terminated, present })) {
      const at = flags ? firstNoFlag(flags) : -1;
      if (flags && at >= 0) return this.#faultAt(field, at, flags[at], "0 and 1");
    }
    const notDone = firstNoFlag(done);
    if (notDone >= 0) return faultOf("done", notDone, done[notDone], "0 and 1");
    const at = action_mask ? firstNoFlag(action_mask) : -1;
    const rows = done.length;
    if (action_mask && at >= 0)
      return faultOf("action_mask", Math.floor((at * rows) / action_mask.length), action_mask[at], "0 and 1");
    return hiddenFault(rollout, rows);
  }
}

function hiddenFault({ hidden_state }: FlatRolloutStep, rows: number): RolloutFault | null {
  for (const [name, values] of Object.entries(hidden_state ?? {})) {
    const at = firstNotFinite(values);
    if (at >= 0)
      return faultOf(
        `hidden_state.${name}`,
        Math.floor((at * rows) / values.length),
        values[at],
        "finite numbers",
      );
  }
  return null;
}

const faultOf = (field: string, row: number, found: unknown, allowed: string): RolloutFault => ({
  field,
  row,
  message: `found ${describeValue(found)}, allowed ${allowed}`,
});

function firstNoFlag(values: ArrayLike<unknown>): number {
  for (let i = 0; i < values.length; i++) {
    const flag = values[i];
    if (flag !== 0 && flag !== 1 && flag !== true && flag !== false) return i;
  }
  return -1;
}

/**
 * Checks that a rollout, or a step of one, has all its fields, as arrays.
 * @param others Fields that it may have besides those of a step.
 * @throws TypeError naming the field that is missing, unknown or of the wrong type.
 * @internal
 */
export function requireRolloutFields(
  place: string,
  given: unknown,
  others: readonly (keyof StoredRollout)[] = [],
): asserts given is FlatRolloutStep {
  const allowed = `an object { ${FIELDS.join(", ")} }`;
  if (typeof given !== "object" || given === null || isArrayLike(given))
    throw new TypeError(`${place}: found ${describeValue(given)}, allowed ${allowed}`);
  const fields = given as Readonly<Record<string, unknown>>;
  for (const field of FIELDS) {
    if (fields[field] === undefined)
      throw new TypeError(`${place} ${field}: found nothing (it has ${keysOf(given)}), allowed ${allowed}`);
    if (!isArrayLike(fields[field]))
      throw new TypeError(
        `${place} ${field}: found ${describeValue(fields[field])}, allowed a list of numbers`,
      );
  }
  const known: readonly string[] = [...FIELDS, ...OTHERS, ...others];
  for (const key of Object.keys(given)) {
    if (known.includes(key) || fields[key] === undefined) continue;
    throw new TypeError(
      `${place}: found the unknown field "${key.slice(0, 60)}", allowed ${known.join(", ")}`,
    );
  }
}

/** Buffers of a learning program, on any device. */
export interface RolloutTarget {
  has(name: string): boolean;
  lengthOf(name: string): number;
  write(name: string, values: ArrayLike<number>): void;
}

interface RolloutLayout {
  readonly observation_space: Space;
  /** Names of the tensors of the networks' recurrent state. */
  readonly hidden: readonly string[];
}

/**
 * Copies a rollout into the buffers of a learning program. Without a mask, all choices are legal; without
 * `present`, all agents took part.
 * @throws RangeError naming the field whose length or values do not fit.
 * @internal
 */
export function writeRollout(
  arena: RolloutTarget,
  rollout: FlatRollout | StoredRollout,
  { observation_space, hidden }: RolloutLayout,
): void {
  const memory = hidden.map((name) => [`memory.${name}`, rollout.hidden_state?.[name] ?? []] as const);
  const observations = OBSERVATIONS.map(
    (field) => [field, observationWords(arena, field, rollout, observation_space)] as const,
  );
  const fields = [...COPIED.map((field) => [field, rollout[field]] as const), ...memory];
  for (const [field, values] of fields) requireLength(field, values, wordsOf(arena, field));
  for (const [field, values] of [...observations, ...fields]) arena.write(`rollout.${field}`, values);
  writeFlags(arena, "mask", rollout.action_mask);
  writeFlags(arena, "present", rollout.present);
}

/** Writes flags (default: all 1), if the program has a buffer for them. */
function writeFlags(arena: RolloutTarget, field: string, given: ArrayLike<number> | null | undefined): void {
  const name = `rollout.${field}`;
  if (!arena.has(name)) return;
  const length = arena.lengthOf(name);
  if (given) requireLength(field, given, length);
  arena.write(name, given ?? new Uint8Array(length).fill(1));
}

const wordsOf = (arena: RolloutTarget, field: string): number => arena.lengthOf(`rollout.${field}`);

/** Observations as the program stores them. */
function observationWords(
  arena: RolloutTarget,
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
