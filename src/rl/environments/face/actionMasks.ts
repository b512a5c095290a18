/** Checks of the action masks that host environments and callers provide. */

import type { Random } from "../../../evolution/random.ts";
import {
  type Agents,
  agentChoices,
  choicesOf,
  describeValue,
  isArrayLike,
  type SingleAgentSpace,
  type Space,
} from "../../spaces.ts";
import type { Info } from "./HostEnvironment.ts";

/** 1 or true for each legal choice. */
export type ActionMask = ArrayLike<number | boolean>;

/**
 * Masks of all lanes in the form that programs read, [lanes * choices]; all ones if `mask` is missing. A
 * MultiDiscrete mask concatenates the choices of all its numbers; a MultiBinary mask has one number per bit
 * (0: the bit must not be
 * 1). The masks of several agents are concatenated. Null if the action space has no choices.
 * @throws RangeError when the action space has no choices, when the mask has the wrong length or invalid
 * values, or   when a lane has no legal choice.
 */
export function maskValues(space: Space, lanes: number, mask?: ActionMask | null): Float32Array | null {
  return checkedMasks(space, lanes, mask, null);
}

/** 1 for agents that choose no more actions, [lanes, agents], in the space's order; null if all choose. */
type Over = ArrayLike<number> | null;

/** Like {@link maskValues}, but agents that choose no more and have no legal choice get a mask of ones. */
function checkedMasks(
  space: Space,
  lanes: number,
  mask: ActionMask | null | undefined,
  over: Over,
): Float32Array | null {
  const size = choicesOf(space);
  if (size === 0) {
    if (mask)
      throw new RangeError(
        `action_mask: found one for ${space.kind} actions, allowed for Discrete, MultiDiscrete and MultiBinary ones`,
      );
    return null;
  }
  const values = new Float32Array(lanes * size).fill(1);
  if (!mask) return values;
  if (!isArrayLike(mask) || mask.length !== values.length) {
    const found = isArrayLike(mask) ? `${mask.length} numbers` : describeValue(mask);
    throw new RangeError(
      `action_mask: found ${found}, allowed ${values.length} (${lanes} observations of ${size} choices)`,
    );
  }
  for (let i = 0; i < values.length; i++) {
    const given: unknown = mask[i];
    if (given !== 0 && given !== 1 && given !== true && given !== false)
      throw new RangeError(
        `${placeIn(space, i % size)} of observation ${Math.floor(i / size)}: found ${describeValue(given)}, allowed 0 or false, 1 or true`,
      );
    values[i] = Number(given);
  }
  for (let lane = 0; lane < lanes; lane++)
    requireLegal(space, values.subarray(lane * size, (lane + 1) * size), lane, over);
  return values;
}

/** Path of a number of a mask, for messages. */
function placeIn(space: Space, at: number): string {
  const share =
    space.kind === "Agents" &&
    agentChoices(space).find(({ start, size }) => at < start + size && at >= start);
  return share ? `action_mask.${share.id}[${at - share.start}]` : `action_mask[${at}]`;
}

/** @throws RangeError when a number of the action has no legal choice. Masks may forbid 1 for all bits. */
function requireLegal(space: Space, mask: Float32Array, lane: number, over: Over): void {
  if (space.kind !== "Agents")
    return requireLegalOfOne(space, mask, `observation ${lane}`, over?.[lane] === 1);
  const { ids } = space;
  for (const { id, space: own, start, size } of agentChoices(space)) {
    const isOver = over?.[lane * ids.length + ids.indexOf(id)] === 1;
    requireLegalOfOne(own, mask.subarray(start, start + size), `observation ${lane}, agent ${id}`, isOver);
  }
}

function requireLegalOfOne(
  space: SingleAgentSpace,
  mask: Float32Array,
  whose: string,
  isOver: boolean,
): void {
  const sizes = space.kind === "MultiDiscrete" ? space.nvec : space.kind === "Discrete" ? [space.n] : [];
  let start = 0;
  for (const [i, size] of sizes.entries()) {
    const own = mask.subarray(start, start + size);
    start += size;
    if (own.includes(1)) continue;
    const which = space.kind === "MultiDiscrete" ? ` of number ${i}` : "";
    if (!isOver)
      throw new RangeError(`action_mask of ${whose}: found no legal choice${which}, allowed one or more`);
    own.fill(1);
  }
}

/**
 * Masks from `info.action_mask`, or from each agent's info in multi-agent environments; all ones for lanes
 * and agents without a mask.
 * @param over 1 for agents that choose no more actions, [lanes, agents]: if they have no legal choice, their
 * mask is   set to ones (default: null).
 * @throws RangeError under the same conditions as maskValues.
 */
export function infoMasks(space: Space, infos: readonly Info[], over: Over = null): Float32Array | null {
  if (space.kind === "Agents") return agentMasks(space, infos, over);
  const size = choicesOf(space);
  if (size === 0 || infos.every((info) => !hasMask(info))) return maskValues(space, infos.length);
  const all = infos.flatMap((info, lane) => maskOf(info, size, `lane ${lane}`));
  return checkedMasks(space, infos.length, all, over);
}

function agentMasks(space: Agents, infos: readonly Info[], over: Over): Float32Array | null {
  const shares = agentChoices(space);
  const infoOf = (lane: Info, id: string) => (Object.hasOwn(lane, id) ? lane[id] : {}) as Info | null;
  if (infos.every((lane) => shares.every(({ id }) => !hasMask(infoOf(lane, id)))))
    return maskValues(space, infos.length);
  const all = infos.flatMap((info, lane) =>
    shares.flatMap(({ id, size }) => maskOf(infoOf(info, id) ?? {}, size, `agent ${id} in lane ${lane}`)),
  );
  return checkedMasks(space, infos.length, all, over);
}

/** Whether an info says which choices are legal. */
export const hasMask = (info: Info | null): boolean =>
  info?.action_mask !== undefined && info.action_mask !== null;

/** The mask of an info; all ones if missing. @throws RangeError when it is no array of the right length. */
function maskOf(info: Info, size: number, whose: string): readonly (number | boolean)[] {
  if (!hasMask(info)) return new Array<number>(size).fill(1);
  const { action_mask } = info;
  if (!isArrayLike(action_mask))
    throw new RangeError(
      `info.action_mask of ${whose}: found ${describeValue(action_mask)}, allowed ${size} numbers`,
    );
  if (action_mask.length === size) return Array.from(action_mask as ActionMask);
  throw new RangeError(
    `info.action_mask of ${whose}: found ${action_mask.length} numbers, allowed ${size} numbers`,
  );
}

/**
 * A random action, uniform over the legal choices. The numbers of all agents' actions are concatenated.
 * @param mask Mask of one lane, from `infoMasks`; null if the action space has no choices.
 */
export function sampleLegal(space: Space, random: Random, mask: Float32Array | null): readonly number[] {
  if (space.kind !== "Agents") return sampleOne(space, random, mask);
  const shares = agentChoices(space);
  return space.agents.flatMap(({ id, space: own }) => {
    const share = shares.find((one) => one.id === id);
    const legal = share && mask ? mask.subarray(share.start, share.start + share.size) : null;
    return sampleOne(own, random, legal);
  });
}

function sampleOne(space: SingleAgentSpace, random: Random, mask: Float32Array | null): readonly number[] {
  if (mask && space.kind === "Discrete") return [space.start + legalChoice(mask, random)];
  if (mask && space.kind === "MultiDiscrete") {
    let start = 0;
    return space.nvec.map((n) => {
      start += n;
      return legalChoice(mask.subarray(start - n, start), random);
    });
  }
  const action = space.sample(random);
  if (typeof action === "number") return [action];
  return mask && space.kind === "MultiBinary"
    ? Array.from(action, (bit, i) => bit * (mask[i] ?? 1))
    : Array.from(action);
}

/** A random choice whose mask is 1. Every mask has at least one. */
function legalChoice(mask: Float32Array, random: Random): number {
  const legal = Array.from(mask.keys()).filter((choice) => mask[choice] === 1);
  return random.choice(legal);
}

/**
 * The infos reduced to what training reads: action masks, `is_success` of goals, and `waits` of games, which is there at
 * another player's turn; null if none has any of it.
 */
export function maskedInfos(infos: readonly Info[], isOfAgents: boolean): Info[] | null {
  let some = false;
  const masked = (info: unknown): Info => {
    const given = (info ?? {}) as Readonly<Record<string, unknown>>;
    const { action_mask = null, is_success = null, waits } = given;
    if (action_mask !== null || is_success !== null || waits) some = true;
    return {
      // A plain list; the code that reads it validates its length and values.
      ...(action_mask !== null && { action_mask: Array.from(action_mask as ArrayLike<unknown>, Number) }),
      ...(is_success !== null && { is_success: Boolean(is_success) }),
      ...(waits === true && { waits }),
    };
  };
  const all = infos.map((info) =>
    isOfAgents
      ? Object.fromEntries(Object.entries(info).map(([id, own]) => [id, masked(own)]))
      : masked(info),
  );
  return some ? all : null;
}
