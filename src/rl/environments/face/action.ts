/** Actions that come from outside, checked before they reach an environment. */
import type { Space } from "../../spaces/index.ts";
import { describeSpace, elementSize } from "../../spaces/index.ts";
import type { Action } from "./HostEnvironment.ts";

/**
 * The numbers of an action. Box actions out of bounds pass: what to do with them is the environment's business.
 *
 * @throws RangeError naming `place` when the action is not one of `space`, or a Box action is not finite.
 */
export function actionValues(space: Space, action: Action, place: string): readonly number[] {
  const values = typeof action === "number" ? [action] : Array.from(action);
  const fits =
    space.kind === "Box"
      ? values.length === elementSize(space) && values.every(Number.isFinite)
      : space.contains(space.kind === "Discrete" && values.length === 1 ? (values[0] as number) : values);
  if (fits) return values;
  const found = typeof action === "number" ? `${action}` : `[${values.join(", ")}]`;
  throw new RangeError(`${place}: found ${found}, allowed ${describeSpace(space)}`);
}

/** The actions of all lanes.
 * @throws RangeError naming the lane whose action does not fit. */
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
