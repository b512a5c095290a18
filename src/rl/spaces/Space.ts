/**
 * Any space: its width, its kind as input, its layout as an image, the choices that an action mask covers.
 */

import type { Agents } from "./Agents.ts";
import type { Box } from "./Box.ts";
import type { Dict, Tuple } from "./Dict.ts";
import type { Discrete, MultiBinary, MultiDiscrete } from "./Discrete.ts";

/** What an encoder reads: a vector (also one-hot), an image (height, width, channels), or several parts. */
export type ObservationKind = "vector" | "image" | "mixed";

/** Spaces that do not contain other spaces. */
export type SimpleSpace = Box | Discrete | MultiDiscrete | MultiBinary;

/** Any observation space or action space of one agent. */
export type SingleAgentSpace = SimpleSpace | Tuple | Dict;

/** Any observation space or action space; `kind` is the discriminant. */
export type Space = SingleAgentSpace | Agents;

/** Spaces whose elements concatenate the elements of simple spaces. */
export type CompositeSpace = Tuple | Dict | Agents;

export const isComposite = (space: Space): space is CompositeSpace =>
  space.kind === "Tuple" || space.kind === "Dict" || space.kind === "Agents";

/** Width of the space as a network's input: numbers unchanged, choices one-hot. */
export function flatSize(space: Space): number {
  switch (space.kind) {
    case "Box":
      return space.low.length;
    case "Discrete":
    case "MultiBinary":
      return space.n;
    case "MultiDiscrete":
      return space.nvec.reduce((sum, n) => sum + n, 0);
    case "Tuple":
    case "Dict":
    case "Agents":
      return space.parts.reduce((sum, part) => sum + flatSize(part.space), 0);
  }
}

/**
 * The kind of encoder input: a Box of three dimensions is an image; other simple spaces flatten to a vector.
 */
export function observationKind(space: Space): ObservationKind {
  if (space.kind === "Agents")
    return Object.values(space.spaces).every((own) => observationKind(own) === "vector") ? "vector" : "mixed";
  if (isComposite(space)) return "mixed";
  return isImage(space) ? "image" : "vector";
}

/** How many numbers represent one element of the space; 1 for a Discrete space. */
export function elementSize(space: Space): number {
  return space.shape.reduce((product, dim) => product * dim, 1);
}

/** Short description of a space for error messages. */
export function describeSpace(space: Space): string {
  switch (space.kind) {
    case "Box":
      return `${space.low.length} finite numbers (Box of shape [${space.shape.join(", ")}])`;
    case "Discrete":
      return `an integer from ${space.start} to ${space.start + space.n - 1} (Discrete)`;
    case "MultiDiscrete":
      return `${space.nvec.length} integers, each at least 0 and below its entry in [${space.nvec.join(", ")}] (MultiDiscrete)`;
    case "MultiBinary":
      return `${space.n} zeros or ones (MultiBinary)`;
    case "Tuple":
    case "Dict":
    case "Agents": {
      const parts = space.parts.map(({ key, space: part }) => `${key}: ${describeSpace(part)}`);
      return `${space.kind} of ${parts.join("; ")}`;
    }
  }
}

/** The observation space and action space of one agent, or of several agents together. */
export interface AgentSpaces {
  readonly observation_space: Space;
  readonly action_space: Space;
  /** Whether replay buffers store action masks (default: where it is a compiled environment that has them). */
  readonly masked?: boolean;
  /** Symmetries of a game in whose forms positions are learnt (default: none, positions are learnt as they are). */
  readonly symmetries?: readonly Symmetry[];
}

/** A symmetry of a game: equivalent states and actions, such as a mirrored board. Permutations: number i goes to place [i]. */
export interface Symmetry {
  /** Of the cells of the observation; all planes move together. */
  readonly cells: readonly number[];
  /** Of the actions. */
  readonly actions: readonly number[];
}

/**
 * The spaces of agents whose environments run on the host. The replay buffers of several agents always store masks,
 * those of a single agent once its environment gives one.
 */
export const hostLayout = ({ observation_space, action_space }: AgentSpaces): AgentSpaces => ({
  observation_space,
  action_space,
  ...(observation_space.kind === "Agents" && { masked: true }),
});

/** The layout of an image and the bounds of its numbers. */
export interface ImageLayout {
  /** [channels, height, width]. */
  readonly shape: readonly [channels: number, height: number, width: number];
  /** Whether an image's shape is [height, width, channels]; else [channels, height, width]. */
  readonly channelsLast: boolean;
  /** Images in an element, one after another; all their channels count in `shape`. */
  readonly images: number;
  /** Bounds over all numbers; null if any number is unbounded. */
  readonly bounds: { readonly low: number; readonly high: number } | null;
}

/** Whether a network reads the space as an image: a Box of three dimensions, or a stack of such. */
export const isImage = (space: {
  readonly kind: string;
  readonly shape: readonly number[];
  readonly stacked?: boolean;
}): boolean =>
  space.kind === "Box" && (space.shape.length === 3 || (space.stacked === true && space.shape.length === 4));

/**
 * The image layout of a Box of three dimensions. The last dimension holds the channels if no other is
 * smaller; otherwise the first does. In a stack of matrices each is a channel; a stack of images has the channels
 * of all of them.
 * @throws RangeError when the Box does not have these dimensions.
 */
export function imageLayout({ shape, low, high, stacked }: Box): ImageLayout {
  const isStack = stacked && shape.length === 4;
  const [a, b, c] = isStack ? shape.slice(1) : shape;
  if ((shape.length !== 3 && !isStack) || a === undefined || b === undefined || c === undefined)
    throw new RangeError(`image: found shape [${shape.join(", ")}], allowed three dimensions`);
  const channelsLast = (isStack || !stacked) && c <= a && c <= b;
  const images = isStack ? (shape[0] as number) : 1;
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < low.length; i++) {
    least = Math.min(least, low[i] as number);
    most = Math.max(most, high[i] as number);
  }
  const bounded = Number.isFinite(least) && Number.isFinite(most);
  return {
    shape: channelsLast ? [images * c, a, b] : [images * a, b, c],
    channelsLast,
    images,
    bounds: bounded ? { low: least, high: most } : null,
  };
}

/**
 * Length of an action mask: one number per choice of a Discrete or MultiDiscrete space, or per bit of a
 * MultiBinary space (0: the bit must not be 1). Masks of several agents are concatenated. A Box has no mask,
 * so the length is 0.
 */
export function choicesOf(space: Space): number {
  if (space.kind === "Agents") return space.agents.reduce((sum, agent) => sum + choicesOf(agent.space), 0);
  return space.kind === "Box" ? 0 : flatSize(space);
}

/** One agent's share of a mask. */
export interface AgentChoices {
  readonly id: string;
  readonly space: SingleAgentSpace;
  /** Index of its first choice in the mask of all agents, and how many choices it has. */
  readonly start: number;
  readonly size: number;
}

/** The agents with masked choices, in order; agents with Box actions are left out. */
export function agentChoices({ agents }: Agents): AgentChoices[] {
  let start = 0;
  return agents.flatMap(({ id, space }) => {
    const size = choicesOf(space);
    const share = { id, space, start, size };
    start += size;
    return size === 0 ? [] : [share];
  });
}
