/** Conversion between observations, masks and actions by agent id, and the joint rows that programs use. */

import { type ActionMask, type ByAgent, type Info, infoMasks } from "../../rl/faces.ts";
import { type Agents, agentChoices, describeValue, elementRows, isArrayLike } from "../../rl/spaces.ts";
import type { Observations } from "./SingleAgentAlgorithm.ts";

/**
 * One agent's action: a number for a Discrete space, else its numbers; with `num_envs`, those of all
 * environments.
 */
export type AgentAction = number | Float32Array | Int32Array;

/** Legal choices of several agents, given as masks or infos. */
export interface TeamMasks {
  /**
   * Legal choices of each agent by id, as `action_mask` of a single agent; for agents that are left out,
   * everything is legal. If observations are joint rows, the masks of all agents are concatenated in order.
   */
  readonly action_mask?: ByAgent<ActionMask> | ActionMask | null;
  /**
   * Infos as the environment returned them; their `action_mask` is used. With `num_envs`, a list with one per
   * environment.
   */
  readonly infos?: ByAgent<Info> | readonly Info[] | null;
}

/** Observations as joint rows, and the ids of the agents that they belong to. */
export interface JoinedObservations {
  readonly rows: Float32Array;
  readonly present: readonly string[];
  /** Number of rows; undefined for a single one whose number was not given. */
  readonly num_envs: number | undefined;
}

/** @throws RangeError naming the unknown agent. */
function requireKnown(place: string, given: object, known: readonly string[]): void {
  for (const id of Object.keys(given))
    if (!known.includes(id))
      throw new RangeError(`${place}.${id}: found no such agent, allowed ${known.join(", ")}`);
}

/**
 * Joins observations by agent into rows, with zeros for agents that are left out, such as those whose task
 * has ended.
 * @throws TypeError or RangeError naming the agent whose observation does not fit.
 */
export function joinObservations(
  space: Agents,
  observations: ByAgent<Observations>,
  num_envs: number | undefined,
): JoinedObservations {
  const place = "getAction observations";
  const known = space.ids.join(", ");
  if (typeof observations !== "object" || observations === null)
    throw new TypeError(
      `${place}: found ${describeValue(observations)}, allowed an object with an observation of each agent: ${known}`,
    );
  requireKnown(place, observations, space.ids);
  const present = space.ids.filter((id) => observations[id] !== undefined);
  if (present.length === 0)
    throw new RangeError(`${place}: found none, allowed those of the agents that take part, of ${known}`);
  const width = space.shape[0] as number;
  let lanes = num_envs;
  let rows = new Float32Array(0);
  for (const { id, space: own, start, size } of space.agents) {
    const given: unknown = observations[id];
    if (given === undefined) continue;
    const flat = elementRows(`${place}.${id}`, own, given);
    const values = typeof flat === "number" ? [flat] : flat;
    if (!isArrayLike(values))
      throw new TypeError(
        `${place}.${id}: found ${describeValue(given)}, allowed ${(lanes ?? 1) * size} numbers`,
      );
    lanes ??= Math.max(1, Math.floor(values.length / size));
    if (values.length !== lanes * size)
      throw new RangeError(`${place}.${id}: found ${values.length} numbers, allowed ${lanes * size}`);
    if (rows.length === 0) rows = new Float32Array(lanes * width);
    for (let lane = 0; lane < lanes; lane++)
      for (let i = 0; i < size; i++) rows[lane * width + start + i] = values[lane * size + i] as number;
  }
  return { rows, present, num_envs: num_envs ?? (lanes === 1 ? undefined : lanes) };
}

/**
 * Masks of all agents as joint rows; `null` if no masks are given.
 * @throws TypeError or RangeError naming the agent whose mask does not fit.
 */
export function joinMasks(
  space: Agents,
  lanes: number,
  { action_mask, infos }: TeamMasks,
): ActionMask | null {
  if (action_mask && infos)
    throw new TypeError("getAction: action_mask and infos both say what is legal; give one of them");
  if (infos) {
    const each = Array.isArray(infos) ? (infos as readonly Info[]) : [infos as Info];
    if (each.length !== lanes)
      throw new RangeError(
        `getAction infos: found ${each.length}, allowed one for each of ${lanes} environments`,
      );
    return infoMasks(space, each);
  }
  if (!action_mask) return null;
  if (isArrayLike(action_mask)) return action_mask as ActionMask;
  const masks = action_mask as ByAgent<ActionMask>;
  const shares = agentChoices(space);
  requireKnown(
    "getAction action_mask",
    masks,
    shares.map(({ id }) => id),
  );
  const width = shares.reduce((sum, { size }) => sum + size, 0);
  const joint = new Array<number | boolean>(lanes * width).fill(1);
  for (const { id, start, size } of shares) {
    const mask: unknown = masks[id];
    if (mask === undefined || mask === null) continue;
    if (!isArrayLike(mask) || mask.length !== lanes * size) {
      const found = isArrayLike(mask) ? `${mask.length} numbers` : describeValue(mask);
      throw new RangeError(`getAction action_mask.${id}: found ${found}, allowed ${lanes * size}`);
    }
    for (let lane = 0; lane < lanes; lane++)
      for (let i = 0; i < size; i++)
        // Values that are not flags are reported with their agent when the joint mask is read.
        joint[lane * width + start + i] = mask[lane * size + i] as number | boolean;
  }
  return joint;
}

/**
 * Splits joint rows of actions by agent, for the agents that are present.
 * @param num_envs If unset, there is one row.
 * @internal
 */
export function splitActions(
  space: Agents,
  actions: ArrayLike<number>,
  { present, num_envs }: { readonly present: readonly string[]; readonly num_envs: number | undefined },
): Record<string, AgentAction> {
  const width = space.shape[0] as number;
  return Object.fromEntries(
    space.agents
      .filter(({ id }) => present.includes(id))
      .map(({ id, space: own, start, size }): [string, AgentAction] => {
        const at = (i: number) => actions[Math.floor(i / size) * width + start + (i % size)] as number;
        if (num_envs === undefined && own.kind === "Discrete") return [id, at(0)];
        const numbers = Array.from({ length: (num_envs ?? 1) * size }, (_value, i) => at(i));
        return [id, own.kind === "Box" ? Float32Array.from(numbers) : Int32Array.from(numbers)];
      }),
  );
}
