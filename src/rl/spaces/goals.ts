/** Observations with goals, in Gymnasium-Robotics' form: a Dict of `observation`, `achieved_goal`, `desired_goal`. */

import type { SpacePart } from "./Dict.ts";
import { describeSpace, type Space } from "./Space.ts";

/** Keys of the parts. */
const KEYS = ["observation", "achieved_goal", "desired_goal"] as const;

/** Where the goals are among an observation's numbers. */
export type GoalParts = Readonly<Record<(typeof KEYS)[number], SpacePart>>;

const form = ({ kind, shape }: Space): string => `${kind} [${shape.join(", ")}]`;

/**
 * The parts of an observation with goals.
 * @param place Name of the space's owner, for messages.
 * @throws RangeError for another space than a Dict of exactly these parts, and for goals of different shapes.
 */
export function requireGoals(space: Space, place: string): GoalParts {
  const parts = space.kind === "Dict" ? space.parts : [];
  const named = Object.fromEntries(parts.map((part) => [part.key, part]));
  if (parts.length !== KEYS.length || KEYS.some((key) => !named[key]))
    throw new RangeError(
      `${place}: observation_space: found ${describeSpace(space)}; an environment with goals needs a Dict of ${KEYS.join(", ")}`,
    );
  // All keys are there, as was checked.
  const goals = named as unknown as GoalParts;
  const [achieved, desired] = [form(goals.achieved_goal.space), form(goals.desired_goal.space)];
  if (achieved !== desired)
    throw new RangeError(
      `${place}: observation_space.desired_goal: found ${desired}, allowed ${achieved}, as achieved_goal`,
    );
  return goals;
}
