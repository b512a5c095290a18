/** Checks of actions from callers, before they reach an environment. */

import {
  type Agents,
  describeSpace,
  describeValue,
  elementSize,
  isArrayLike,
  type Space,
} from "../../spaces.ts";
import type { Action } from "./HostEnvironment.ts";
import type { ByAgent } from "./ParallelEnvironment.ts";

/**
 * The numbers of an action. Out-of-bounds Box actions are allowed: the environment decides how to handle
 * them.
 *
 * @throws RangeError naming `place` when the action is not in `space`, or a Box action is not finite.
 */
export function actionValues(space: Space, action: Action, place: string): readonly number[] {
  const values = typeof action === "number" ? [action] : Array.from(action);
  if (space.kind === "Agents" && values.length === elementSize(space))
    return space.agents.flatMap(({ id, space: own, start, size }) =>
      actionValues(own, values.slice(start, start + size), `${place}.${id}`),
    );
  const fits =
    space.kind === "Box"
      ? values.length === elementSize(space) && values.every(Number.isFinite)
      : space.contains(space.kind === "Discrete" && values.length === 1 ? (values[0] as number) : values);
  if (fits) return values;
  const found = typeof action === "number" ? `${action}` : `[${values.join(", ")}]`;
  throw new RangeError(`${place}: found ${found}, allowed ${describeSpace(space)}`);
}

/** The numbers of each lane's action.
 * @throws RangeError naming the lane whose action is not in `space`. */
export function vectorActionValues(
  space: Space,
  actions: ArrayLike<number>,
  num_envs: number,
  place: string,
): readonly (readonly number[])[] {
  const size = elementSize(space);
  if (actions.length !== num_envs * size) {
    throw new RangeError(
      `${place}: found ${actions.length} numbers, allowed ${num_envs * size} (${num_envs} lanes of ${size})`,
    );
  }
  const all = Array.from(actions);
  return Array.from({ length: num_envs }, (_, lane) =>
    actionValues(space, all.slice(lane * size, (lane + 1) * size), `${place}[${lane}]`),
  );
}

/**
 * The numbers of all agents' actions, in the space's order; zeros for agents that do not take part.
 *
 * @param present Ids of the agents that take part.
 * @throws TypeError or RangeError naming the agent whose action is missing, unexpected or not in its space.
 */
export function agentActionValues(
  space: Agents,
  actions: ByAgent<Action>,
  present: readonly string[],
  place: string,
): readonly number[] {
  const expected = present.join(", ");
  if (typeof actions !== "object" || actions === null || isArrayLike(actions))
    throw new TypeError(
      `${place}: found ${describeValue(actions)}, allowed an object with an action of each agent: ${expected}`,
    );
  for (const id of Object.keys(actions)) {
    if (present.includes(id)) continue;
    const what = space.ids.includes(id) ? "an action of an agent whose task has ended" : "no such agent";
    throw new RangeError(`${place}.${id}: found ${what}, allowed ${expected}`);
  }
  return space.agents.flatMap(({ id, space: own, size }) => {
    if (!present.includes(id)) return new Array<number>(size).fill(0);
    const action: unknown = actions[id];
    if (typeof action === "number" || isArrayLike(action))
      return actionValues(own, action as Action, `${place}.${id}`);
    throw new RangeError(`${place}.${id}: found ${describeValue(action)}, allowed ${describeSpace(own)}`);
  });
}
