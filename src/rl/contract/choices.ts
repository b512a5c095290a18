/** Discrete choices of actions: which ones are legal, and how the environment numbers them. */
import {
  add,
  cast,
  cumulativeSum,
  type Dim,
  equal,
  floor,
  iota,
  lessEqual,
  mul,
  reshape,
  select,
  state,
  sub,
  sum,
  type Tensor,
  zeros,
} from "../../kernels/index.ts";
import { type AgentSpaces, type Agents, choicesOf, type Space } from "../spaces.ts";
import type { Networks } from "./network.ts";
import type { OffPolicyAlgorithm } from "./offPolicy.ts";

/** Values [n, k] with -infinity for choices that `mask` (1 = legal) forbids. */
export const legalValues = (values: Tensor, mask?: Tensor): Tensor =>
  mask ? select(lessEqual(mask, 0), Number.NEGATIVE_INFINITY, values) : values;

/** One of `choices`, uniformly among the legal ones, from a uniform vector [n]; i32 [n]. */
export function randomChoice(uniform: Tensor, choices: number, mask?: Tensor): Tensor {
  if (!mask) return cast(floor(mul(uniform, choices)), "i32");
  const n = mask.shape[0] as Dim;
  // The drawn choice is the first one up to which there are more than `rank` legal choices.
  const rank = floor(mul(uniform, sum(mask)));
  return cast(sum(cast(lessEqual(cumulativeSum(mask), reshape(rank, [n, 1])), "f32")), "i32");
}

/** Number format of actions. Actions of several agents are one f32 row, choices included. */
export const actionType = ({ kind }: Space): "f32" | "i32" =>
  kind === "Box" || kind === "Agents" ? "f32" : "i32";

/** The first value of each number in several agents' actions; null if all start at 0. */
function startsOf({ parts }: Agents): Tensor | null {
  const starts = parts.flatMap(({ space, size }) =>
    Array.from({ length: size }, () => (space.kind === "Discrete" ? space.start : 0)),
  );
  return starts.every((start) => start === 0) ? null : constantRow(starts);
}

/** A row of constants, f32 [n]. */
const constantRow = (values: readonly number[]): Tensor =>
  values.reduce<Tensor>(
    (row, value, i) => (value === 0 ? row : select(equal(iota(values.length), i), value, row)),
    zeros([values.length]),
  );

/** Converts choices from indices of the policy's outputs to the environment's numbering. */
export function environmentAction(space: Space, action: Tensor): Tensor {
  if (space.kind === "Discrete") return space.start === 0 ? action : add(action, space.start);
  const starts = space.kind === "Agents" ? startsOf(space) : null;
  return starts ? add(action, starts) : action;
}

/** Converts an off-policy algorithm's action to the form that the environment expects. */
export const appliedAction = (
  algorithm: OffPolicyAlgorithm,
  networks: Networks,
  action: Tensor,
  space: Space,
): Tensor => algorithm.applied?.(networks, action, space) ?? environmentAction(space, action);

/** The inverse of `environmentAction`. */
export function policyAction(space: Space, action: Tensor): Tensor {
  if (space.kind === "Discrete") return space.start === 0 ? action : sub(action, space.start);
  const starts = space.kind === "Agents" ? startsOf(space) : null;
  return starts ? sub(action, starts) : action;
}

/** Action masks f32 [lanes, choices], which the host writes; undefined if there are no choices. */
export function legalActions({ action_space }: AgentSpaces, lanes: Dim): Tensor | undefined {
  const choices = choicesOf(action_space);
  return choices === 0 ? undefined : state("act.mask", [lanes, choices]).read();
}
