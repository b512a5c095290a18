/** Transitions of several agents by id, and their conversion to the joint rows that replay buffers store. */
import type { ByAgent } from "../../rl/faces.ts";
import { HAD_LEFT, keptMask } from "../../rl/programs.ts";
import {
  type AgentSpaces,
  agentChoices,
  describeValue,
  firstNotFinite,
  isArrayLike,
  type SpaceElement,
} from "../../rl/spaces.ts";
import { BATCH_FIELDS, type FlatExperiences } from "./experiences.ts";

type Numbers = number | ArrayLike<number>;
type Flags = boolean | number | ArrayLike<number | boolean>;

/** One transition of several agents, or several: each field then concatenates the rows of each agent. */
export interface TeamExperiences {
  readonly obs: ByAgent<SpaceElement | readonly SpaceElement[]>;
  readonly action: ByAgent<Numbers>;
  /** One number per agent and transition; their count determines the number of transitions. */
  readonly reward: ByAgent<Numbers>;
  /** Observations after the step, before any reset. */
  readonly next_obs: ByAgent<SpaceElement | readonly SpaceElement[]>;
  /** Whether the agent's task ended (1 or true); 2 if it had left before the step, with all numbers 0. */
  readonly done: ByAgent<Flags>;
  /** Choices that were legal, by agent (default: all legal). */
  readonly action_mask?: ByAgent<ArrayLike<number | boolean>> | null;
  /** Choices that are legal in `next_obs`. */
  readonly next_action_mask?: ByAgent<ArrayLike<number | boolean>> | null;
}

/** One agent's share of joint rows: how many numbers it has in each field. */
export interface TeamShare {
  readonly id: string;
  readonly obs: number;
  readonly action: number;
  /** Size of its mask; 0 if rows have no masks or its action has no choices. */
  readonly mask: number;
}

/** The shares of all agents, in order; null for a single agent. */
export function teamShares(layout: AgentSpaces): readonly TeamShare[] | null {
  const { observation_space, action_space } = layout;
  if (observation_space.kind !== "Agents" || action_space.kind !== "Agents") return null;
  const choices = keptMask(layout) === 0 ? [] : agentChoices(action_space);
  return observation_space.agents.map(({ id, size }, i) => ({
    id,
    obs: size,
    action: action_space.agents[i]?.size ?? 0,
    mask: choices.find((share) => share.id === id)?.size ?? 0,
  }));
}

const isRecord = (value: unknown): value is ByAgent<unknown> =>
  typeof value === "object" && value !== null && !isArrayLike(value);

const MASKS = ["action_mask", "next_action_mask"] as const;

/** Whether transitions are passed by agent. */
export const isByAgent = (experiences: unknown): experiences is TeamExperiences =>
  isRecord(experiences) && isRecord(experiences.reward);

const lengthOf = (value: unknown): number => (isArrayLike(value) ? value.length : 1);

/**
 * Infers the agents' shares from their first transitions.
 * @throws TypeError or RangeError naming the agent whose numbers do not fit.
 */
export function inferShares(experiences: TeamExperiences): readonly TeamShare[] {
  const { reward, obs, action, action_mask, next_action_mask } = experiences;
  const ids = Object.keys(isRecord(reward) ? reward : {});
  if (ids.length === 0)
    throw new TypeError(
      `experiences.reward: found ${describeValue(reward)}, allowed a number of each agent by id`,
    );
  return ids.map((id) => {
    const rows = lengthOf(reward[id]);
    const width = (name: string, field: unknown): number => {
      const value = isRecord(field) ? field[id] : undefined;
      const numbers = value === undefined || value === null ? 0 : lengthOf(value) / rows;
      if (Number.isInteger(numbers)) return numbers;
      throw new RangeError(
        `experiences.${name}.${id}: found ${lengthOf(value)} numbers for ${rows} rewards, allowed a multiple`,
      );
    };
    return {
      id,
      obs: width("obs", obs),
      action: width("action", action),
      mask: width("action_mask", action_mask) || width("next_action_mask", next_action_mask),
    };
  });
}

/** Rules for the numbers of one field. */
interface FieldRule {
  readonly field: string;
  readonly size: (share: TeamShare) => number;
  readonly allowed: string;
  readonly fault: (values: ArrayLike<unknown>) => number;
  /** Value for agents without numbers; undefined if numbers are required. */
  readonly missing?: number;
}

const FINITE = "finite 32-bit numbers, one after another";

/** Index of the first value that is no flag from 0 to `most`; -1 if all are. */
export function firstNoFlag(values: ArrayLike<unknown>, most: number): number {
  for (let i = 0; i < values.length; i++) {
    const flag = Number(values[i]);
    if (!Number.isInteger(flag) || flag < 0 || flag > most || typeof values[i] === "string") return i;
  }
  return -1;
}

const rule = (field: string, size: FieldRule["size"]): FieldRule => ({
  field,
  size,
  allowed: FINITE,
  fault: (values) => firstNotFinite(values),
});

const maskRule = (field: string): FieldRule => ({
  field,
  size: ({ mask }) => mask,
  allowed: "0 or false, 1 or true",
  fault: (values) => firstNoFlag(values, 1),
  missing: 1,
});

const RULES = {
  obs: rule("obs", ({ obs }) => obs),
  next_obs: rule("next_obs", ({ obs }) => obs),
  action: rule("action", ({ action }) => action),
  reward: rule("reward", () => 1),
  done: {
    field: "done",
    size: () => 1,
    allowed: "0 or false, 1 or true, 2 of an agent that had left",
    fault: (values) => firstNoFlag(values, HAD_LEFT),
  },
} satisfies Record<(typeof BATCH_FIELDS)[number], FieldRule>;

/** One field of all agents as joint rows. @throws TypeError or RangeError naming the field and agent. */
function joint(
  given: unknown,
  { field, size, allowed, fault, missing }: FieldRule,
  shares: readonly TeamShare[],
  count: number,
): Float32Array | Uint8Array {
  const place = `experiences.${field}`;
  const known = shares.map(({ id }) => id).join(", ");
  if (!isRecord(given))
    throw new TypeError(
      `${place}: found ${describeValue(given)}, allowed an object with one value per agent: ${known}`,
    );
  for (const id of Object.keys(given))
    if (!shares.some((share) => share.id === id))
      throw new RangeError(`${place}.${id}: found no such agent, allowed ${known}`);
  const width = shares.reduce((sum, share) => sum + size(share), 0);
  // Byte images stay bytes.
  const areBytes = shares.every(({ id }) => given[id] instanceof Uint8Array);
  const out = areBytes ? new Uint8Array(count * width) : new Float32Array(count * width);
  let start = 0;
  for (const share of shares) {
    const value = given[share.id];
    const own = size(share);
    if (value === undefined && missing === undefined)
      throw new TypeError(`${place}.${share.id}: found nothing, allowed a value for each agent: ${known}`);
    const values = isArrayLike(value) ? value : [value];
    if (value === undefined || value === null) {
      for (let row = 0; row < count; row++)
        out.fill(missing ?? 0, row * width + start, row * width + start + own);
    } else {
      if (values.length !== count * own)
        throw new RangeError(
          `${place}.${share.id}: found ${values.length} numbers, allowed ${count * own} (${count} transitions of ${own})`,
        );
      const at = fault(values);
      if (at >= 0) {
        const which = own === 1 ? "" : `, number ${at % own}`;
        throw new RangeError(
          `${place}.${share.id}: transition ${Math.floor(at / own)}${which}: found ${describeValue(values[at])}, allowed ${allowed}`,
        );
      }
      for (let i = 0; i < values.length; i++)
        out[Math.floor(i / own) * width + start + (i % own)] = Number(values[i]);
    }
    start += own;
  }
  return out;
}

/** Appends each mask to its row of observations. */
export function besides(rows: ArrayLike<number>, masks: ArrayLike<number>, count: number): Float32Array {
  const [width, legal] = [rows.length / count, masks.length / count];
  const out = new Float32Array(rows.length + masks.length);
  for (let row = 0; row < count; row++) {
    for (let i = 0; i < width; i++) out[row * (width + legal) + i] = rows[row * width + i] as number;
    for (let i = 0; i < legal; i++) out[row * (width + legal) + width + i] = masks[row * legal + i] as number;
  }
  return out;
}

/**
 * Converts transitions by agent to joint rows, with action masks after observations if rows have masks.
 * @throws TypeError or RangeError naming the field, agent and transition that is missing, unknown or does not
 * fit.
 */
export function jointExperiences(
  experiences: TeamExperiences,
  shares: readonly TeamShare[],
): FlatExperiences {
  const known: readonly string[] = [...BATCH_FIELDS, ...MASKS];
  const unknown = Object.keys(experiences).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new TypeError(
      `experiences: found the unknown field "${unknown.slice(0, 60)}", allowed ${known.join(", ")}`,
    );
  const [first] = shares;
  const count = lengthOf(isRecord(experiences.reward) && first ? experiences.reward[first.id] : null);
  const of = (field: (typeof BATCH_FIELDS)[number]) => joint(experiences[field], RULES[field], shares, count);
  const masked = shares.some(({ mask }) => mask > 0);
  if (!masked && (experiences.action_mask || experiences.next_action_mask))
    throw new RangeError(
      "experiences.action_mask: found a mask, allowed only if actions are choices and the replay buffer stores masks; call configure() with masked: true",
    );
  const seen = (field: "obs" | "next_obs", mask: (typeof MASKS)[number]) => {
    const rows = of(field);
    return masked
      ? besides(rows, joint(experiences[mask] ?? {}, maskRule(mask), shares, count), count)
      : rows;
  };
  return {
    obs: seen("obs", "action_mask"),
    action: of("action"),
    reward: of("reward"),
    next_obs: seen("next_obs", "next_action_mask"),
    done: of("done"),
  };
}

const agentsOf = (shares: readonly TeamShare[] | null): string =>
  shares ? `the agents ${shares.map(({ id }) => id).join(", ")}` : "a single agent";

/**
 * @param held Agents of the transitions that the buffer holds; undefined if unknown.
 * @throws RangeError naming the agents, when the environment's agents differ.
 */
export function requireSameTeam(
  size: number,
  held: readonly TeamShare[] | null | undefined,
  asked: readonly TeamShare[] | null,
): void {
  if (held === undefined || agentsOf(held) === agentsOf(asked)) return;
  throw new RangeError(
    `ReplayBuffer: it holds ${size} transitions of ${agentsOf(held)}, and the environment has ${agentsOf(asked)}; call clear() first`,
  );
}
