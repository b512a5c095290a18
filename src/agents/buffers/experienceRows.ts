/**
 * Conversion of callers' transitions to rows of numbers, and of those to rows as a replay buffer stores them.
 */
import { HAD_LEFT, isPacked } from "../../rl/programs.ts";
import { describeValue, firstNotFinite, isArrayLike, keysOf } from "../../rl/spaces.ts";
import { nearest } from "../../specs/messages.ts";
import {
  BATCH_FIELDS,
  type Experiences,
  type FlatExperiences,
  fieldsOf,
  MASK_FIELDS,
  type RowWidths,
} from "./experiences.ts";
import { firstNoByte, packRows, type ReplayRows, unpackRows } from "./replayRows.ts";
import {
  besides,
  firstNoFlag,
  inferShares,
  isByAgent,
  jointExperiences,
  type TeamExperiences,
  type TeamShare,
} from "./teamExperiences.ts";

type Given = boolean | number | ArrayLike<number | boolean>;

const lengthOf = (value: Given): number => (typeof value === "object" ? value.length : 1);
const listOf = (value: Given): number[] =>
  typeof value === "object" ? Array.from(value, Number) : [Number(value)];

/**
 * Flags (0 or 1) of all transitions, and of each agent. With several agents, 2 marks an agent that had
 * already left.
 * @throws RangeError naming the field with the wrong number of flags, or the transition with an invalid flag.
 */
export function flags(field: string, given: Given, count: number, agents = 1): number[] {
  const list: readonly unknown[] = typeof given === "object" ? Array.from(given) : [given];
  if (list.length !== count * agents)
    throw new RangeError(`experiences.${field}: found ${list.length} flags, allowed ${count * agents}`);
  return list.map((flag, i) => {
    if (flag === 0 || flag === 1 || flag === true || flag === false) return Number(flag);
    if (flag === HAD_LEFT && agents > 1) return flag;
    const which = agents === 1 ? "" : `, agent ${i % agents}`;
    const left = agents === 1 ? "" : `, ${HAD_LEFT} of an agent that had left before the step`;
    throw new RangeError(
      `experiences.${field}: transition ${Math.floor(i / agents)}${which}: found ${describeValue(flag)}, allowed 0 or false, 1 or true${left}`,
    );
  });
}

/**
 * Checks that transitions have all their fields, as numbers or arrays of numbers.
 * @param others Additional fields that are allowed. If set, all other unknown fields are rejected.
 * @throws TypeError naming the field that is missing, unknown or of the wrong type.
 */
export function requireFields(
  experiences: unknown,
  others?: readonly string[],
): asserts experiences is FlatExperiences {
  const allowed = `an object { ${BATCH_FIELDS.join(", ")} }`;
  if (typeof experiences !== "object" || experiences === null || isArrayLike(experiences))
    throw new TypeError(`experiences: found ${describeValue(experiences)}, allowed ${allowed}`);
  const given = experiences as Readonly<Record<string, unknown>>;
  const known: readonly string[] = [...BATCH_FIELDS, ...Object.values(MASK_FIELDS), ...(others ?? [])];
  const unknown = Object.keys(given).find(
    (key) => others && given[key] !== undefined && !known.includes(key),
  );
  const missing = BATCH_FIELDS.find((field) => given[field] === undefined);
  if (missing !== undefined)
    throw new TypeError(
      `experiences.${missing}: found nothing (it has ${keysOf(given)}), allowed ${allowed}`,
    );
  if (unknown !== undefined) {
    const near = nearest(unknown, known);
    const hint =
      unknown === "discount" ? "; a memory keeps single steps" : near ? `; did you mean "${near}"?` : "";
    throw new TypeError(
      `experiences: found the unknown field "${unknown.slice(0, 60)}", allowed ${known.join(", ")}${hint}`,
    );
  }
  for (const field of BATCH_FIELDS) {
    const value = given[field];
    if (isArrayLike(value) || typeof value === "number" || typeof value === "boolean") continue;
    throw new TypeError(
      `experiences.${field}: found ${describeValue(value)}, allowed numbers, or a list of them`,
    );
  }
}

/** Number of transitions: the number of rewards per agent. */
const rowCount = ({ reward }: FlatExperiences, { agents }: Pick<RowWidths, "agents">): number =>
  lengthOf(reward) / agents;

/**
 * Row widths inferred from a buffer's first transitions. Actions are integers unless they are in a
 * Float32Array or one of them is not an integer. Observations are bytes if they are in Uint8Arrays.
 * @throws RangeError when observations or actions cannot be divided into as many rows as there are rewards.
 */
function inferWidths(transition: FlatExperiences): RowWidths {
  const rows = rowCount(transition, { agents: 1 });
  const width = (field: "obs" | "action") => {
    const length = lengthOf(transition[field]);
    if (rows === 0 || length === 0 || length % rows !== 0)
      throw new RangeError(
        `experiences.${field}: found ${length} numbers for ${rows} rewards, allowed a multiple`,
      );
    return length / rows;
  };
  const { action, obs, next_obs } = transition;
  const observation = width("obs");
  const areBytes = obs instanceof Uint8Array && next_obs instanceof Uint8Array;
  const mask = choicesIn(transition);
  return {
    observation: observation + mask,
    action: width("action"),
    discrete: !(action instanceof Float32Array) && listOf(action).every(Number.isInteger),
    agents: 1,
    mask,
    bytes: areBytes ? [{ start: 0, size: observation }] : [],
  };
}

/**
 * Row widths of a multi-agent buffer, from its first transitions.
 * @param obs Observations of these transitions, as joint rows.
 */
function teamWidths(shares: readonly TeamShare[], obs: FlatExperiences["obs"]): RowWidths {
  const total = (of: (share: TeamShare) => number) => shares.reduce((sum, share) => sum + of(share), 0);
  const [observation, mask] = [total((share) => share.obs), total((share) => share.mask)];
  return {
    observation: observation + mask,
    action: total(({ action }) => action),
    discrete: false,
    agents: shares.length,
    mask,
    bytes: obs instanceof Uint8Array ? [{ start: 0, size: observation }] : [],
  };
}

/** How many choices the masks of transitions have; 0 without masks. They may not be a whole number. */
export function choicesIn(
  transition: Partial<Pick<Experiences, "reward" | "action_mask" | "next_action_mask">> | null,
): number {
  const { reward, action_mask, next_action_mask } = transition ?? {};
  const given = action_mask ?? next_action_mask;
  return isArrayLike(given) ? given.length / (isArrayLike(reward) ? reward.length : 1) : 0;
}

/**
 * The masks of one field, of `count` transitions. Where the task ended, no choice needs to be legal.
 * @throws TypeError or RangeError naming the field and transition.
 */
function masksOf(
  given: unknown,
  field: string,
  { mask, done }: { readonly mask: number; readonly done: ArrayLike<number> | null },
  count: number,
): Uint8Array {
  if (mask === 0)
    throw new RangeError(`experiences.${field}: found a mask, allowed only for actions that are choices`);
  if (!isArrayLike(given) || given.length !== count * mask) {
    const found = isArrayLike(given) ? `${given.length} numbers` : describeValue(given);
    throw new RangeError(
      `experiences.${field}: found ${found}, allowed ${count * mask} numbers (${count} transitions of ${mask} choices)`,
    );
  }
  const refused = (row: number, found: string, allowed: string) =>
    new RangeError(`experiences.${field}: transition ${row}: found ${found}, allowed ${allowed}`);
  const wrong = firstNoFlag(given, 1);
  if (wrong >= 0)
    throw refused(Math.floor(wrong / mask), describeValue(given[wrong]), "0 or false, 1 or true");
  const masks = Uint8Array.from(given as ArrayLike<number>, Number);
  for (let row = 0; row < count; row++) {
    const own = masks.subarray(row * mask, (row + 1) * mask);
    if (own.includes(1)) continue;
    if (done?.[row] !== 1) throw refused(row, "no legal choice", "one or more");
    own.fill(1);
  }
  return masks;
}

/**
 * The rows of each field. Typed arrays of the right type are returned without copying.
 * @throws RangeError naming the field whose length or values do not fit.
 */
export function rowsOf(experiences: FlatExperiences, widths: RowWidths): { count: number; rows: ReplayRows } {
  const { observation, action, discrete, agents, mask } = widths;
  const count = rowCount(experiences, widths);
  if (!Number.isInteger(count))
    throw new RangeError(
      `experiences.reward: found ${lengthOf(experiences.reward)} numbers, allowed one of each of ${agents} agents for each transition`,
    );
  const done = () => flags("done", experiences.done, count, agents);
  /** Observations with their masks, by default of ones, if the buffer stores masks. */
  const legalBeside = (field: "obs" | "next_obs"): number | ArrayLike<number> => {
    const given = experiences[field];
    const own = experiences[MASK_FIELDS[field]] ?? null;
    const ended = field === "next_obs" && own !== null ? done() : null;
    const masks = own === null ? null : masksOf(own, MASK_FIELDS[field], { mask, done: ended }, count);
    return mask > 0 && count > 0 && lengthOf(given) === count * (observation - mask)
      ? besides(listOf(given), masks ?? new Uint8Array(count * mask).fill(1), count)
      : given;
  };
  const numbers = (field: "obs" | "next_obs" | "action" | "reward", width: number): Float32Array => {
    const given = field === "obs" || field === "next_obs" ? legalBeside(field) : experiences[field];
    const length = lengthOf(given);
    if (length !== count * width) {
      throw new RangeError(
        `experiences.${field}: found ${length} numbers, allowed ${count * width} (${count} transitions of ${width})`,
      );
    }
    const at = firstNotFinite(typeof given === "object" ? given : [given]);
    if (at >= 0) {
      const found: unknown = typeof given === "object" ? given[at] : given;
      const which = width === 1 ? "" : `, number ${at % width}`;
      throw new RangeError(
        `experiences.${field}: transition ${Math.floor(at / width)}${which}: found ${describeValue(found)}, allowed finite 32-bit numbers, one after another`,
      );
    }
    return given instanceof Float32Array ? given : Float32Array.from(listOf(given));
  };
  return {
    count,
    rows: {
      obs: numbers("obs", observation),
      next_obs: numbers("next_obs", observation),
      action: discrete
        ? wholeNumbers(experiences.action, numbers("action", action))
        : numbers("action", action),
      reward: numbers("reward", agents),
      done: Float32Array.from(done()),
      // Rows that are added one by one have no known successor, so each one ends its sequence.
      ended: new Float32Array(count).fill(1),
    },
  };
}

/**
 * Converts rows of numbers to rows as the buffer stores them.
 * @throws RangeError when the buffer stores observations as bytes and a number is not a byte.
 */
export function storedRows(rows: ReplayRows, widths: RowWidths): ReplayRows {
  const { obs } = fieldsOf(widths);
  if (!isPacked(obs)) return rows;
  const stored = (field: "obs" | "next_obs") => {
    const wrong = firstNoByte(rows[field], obs);
    if (wrong === undefined) return packRows(rows[field], obs);
    throw new RangeError(
      `experiences.${field}: found ${wrong} where the replay buffer stores bytes, allowed whole numbers 0 to 255`,
    );
  };
  return { ...rows, obs: stored("obs"), next_obs: stored("next_obs") };
}

/** Observations without the masks that follow them in each row. */
export const withoutMasks = (rows: ArrayLike<number>, widths: RowWidths): ArrayLike<number> =>
  widths.mask === 0 ? rows : apart(rows, widths)[0];

/** Observations, and the masks that follow them in each row. */
export function apart(
  rows: ArrayLike<number>,
  { observation, mask }: RowWidths,
): readonly [observations: Float32Array, masks: Float32Array] {
  const part = (start: number, size: number) =>
    Float32Array.from(
      { length: (rows.length / observation) * size },
      (_value, i) => rows[Math.floor(i / size) * observation + start + (i % size)] as number,
    );
  return [part(0, observation - mask), part(observation - mask, mask)];
}

/** The inverse of `storedRows`: rows of numbers. */
export function numberRows(rows: ReplayRows, widths: RowWidths): ReplayRows {
  const { obs } = fieldsOf(widths);
  if (!isPacked(obs)) return rows;
  return { ...rows, obs: unpackRows(rows.obs, obs), next_obs: unpackRows(rows.next_obs, obs) };
}

function wholeNumbers(given: FlatExperiences["action"], numbers: Float32Array): Int32Array {
  if (given instanceof Int32Array) return given;
  if (numbers.every(Number.isInteger)) return Int32Array.from(numbers);
  throw new RangeError(
    "experiences.action: found non-integers in a replay buffer of discrete actions; call configure() with the environment's spaces",
  );
}

/** The layout of a buffer's rows, as far as it is known; null before the first row. */
interface KnownRows {
  readonly widths: RowWidths | null;
  readonly team: readonly TeamShare[] | null | undefined;
}

/**
 * Rows as the buffer stores them. If the buffer has no layout yet, it is inferred from the transitions.
 * @param others Fields that transitions may have besides those of every replay buffer.
 * @throws TypeError or RangeError naming the field, and the agent, that does not fit.
 */
export function transitionRows(
  transition: Experiences | TeamExperiences,
  known: KnownRows,
  others: readonly string[],
): KnownRows & { readonly count: number; readonly rows: ReplayRows; readonly widths: RowWidths } {
  const team = isByAgent(transition) ? (known.team ?? inferShares(transition)) : known.team;
  const given = isByAgent(transition) ? jointExperiences(transition, team ?? []) : transition;
  requireFields(given, others);
  const widths = known.widths ?? (team ? teamWidths(team, given.obs) : inferWidths(given));
  if (isByAgent(transition) && widths.agents !== team?.length)
    throw new RangeError(
      `ReplayBuffer.add: found transitions of ${team?.length} agents, allowed ${widths.agents}, as it holds; call clear() first`,
    );
  const { count, rows } = rowsOf(given, widths);
  return { count, rows: storedRows(rows, widths), widths, team };
}
