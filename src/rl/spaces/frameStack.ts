/** Stacks of an episode's latest observations, with the shapes of Gymnasium's `FrameStackObservation`. */
import { Agents } from "./Agents.ts";
import { Box } from "./Box.ts";
import { Dict, Tuple } from "./Dict.ts";
import { MultiBinary, MultiDiscrete } from "./Discrete.ts";
import {
  describeSpace,
  elementSize,
  isComposite,
  type SimpleSpace,
  type SingleAgentSpace,
  type Space,
} from "./Space.ts";

/** Adjacent numbers of an observation, and where they are in the stack. */
export interface StackedPart {
  /** Index of the first number in an observation, and how many follow. */
  readonly start: number;
  readonly size: number;
  /** Index of the oldest of them in the stack; newer ones follow. */
  readonly at: number;
  /** How many observations the stack holds of them: 1 for a single choice, of which only the latest is kept. */
  readonly frames: number;
}

/** A single choice is not stacked. */
const isStackable = ({ kind }: SimpleSpace): boolean => kind !== "Discrete";

const repeated = <T>(values: ArrayLike<T>, times: number): T[] =>
  Array.from({ length: times }, () => Array.from(values)).flat();

function simple(space: SimpleSpace, frames: number): SimpleSpace {
  switch (space.kind) {
    case "Box": {
      if (space.stacked)
        throw new RangeError(
          `found a stack already (${describeSpace(space)}), allowed observations; leave it out`,
        );
      const [low, high] = [repeated(space.low, frames), repeated(space.high, frames)];
      return new Box({ low, high, shape: [frames, ...space.shape], dtype: space.dtype, stacked: true });
    }
    case "MultiDiscrete":
      return new MultiDiscrete(repeated(space.nvec, frames));
    case "MultiBinary":
      return new MultiBinary([frames, ...space.shape]);
    case "Discrete":
      return space;
  }
}

function single(space: SingleAgentSpace, frames: number): SingleAgentSpace {
  switch (space.kind) {
    case "Tuple":
      return new Tuple(space.spaces.map((part) => simple(part, frames)));
    case "Dict":
      return new Dict(
        Object.fromEntries(Object.entries(space.spaces).map(([key, part]) => [key, simple(part, frames)])),
      );
    default:
      return simple(space, frames);
  }
}

/** The simple spaces of an observation, in order. */
const partsOf = (space: Space) =>
  isComposite(space) ? space.parts : [{ space, start: 0, size: elementSize(space) }];

/**
 * The space of stacks of `frames` observations. Every part of a Dict or Tuple, and every agent, has a stack of its own.
 * @throws RangeError for observations that are only single choices, and for those that are stacks already.
 */
export function stackedSpace(space: Space, frames: number): Space {
  if (!partsOf(space).some((part) => isStackable(part.space)))
    throw new RangeError(
      `found observations that are single choices (${describeSpace(space)}), allowed Box, MultiDiscrete, MultiBinary, or several parts that have one of them; leave it out`,
    );
  if (space.kind !== "Agents") return single(space, frames);
  return new Agents(
    Object.fromEntries(Object.entries(space.spaces).map(([id, own]) => [id, single(own, frames)])),
  );
}

/** The parts of an observation of the space, in order. */
export function stackedParts(space: Space, frames: number): readonly StackedPart[] {
  let at = 0;
  return partsOf(space).map(({ space: part, start, size }) => {
    const own = { start, size, at, frames: isStackable(part) ? frames : 1 };
    at += size * own.frames;
    return own;
  });
}
