import {
  add,
  div,
  greater,
  maximum,
  mul,
  type Operand,
  select,
  slice,
  type Tensor,
} from "../../../../kernels/index.ts";
import { length } from "./geometry.ts";
import type { Scene } from "./Scene.ts";
import { table } from "./table.ts";
import { STEP, type WorldFacts } from "./WorldFacts.ts";

/** Fraction of its velocity that a body keeps in a step. */
const KEPT = 0.75;
/** Top speed of agents without a limit. */
const UNREACHED = 1e30;

function limited(velocity: Tensor, top: Operand): Tensor {
  const speed = length(slice(velocity, 0, 1), slice(velocity, 1, 1));
  return mul(velocity, select(greater(speed, top), div(top, maximum(speed, top)), 1));
}

/**
 * One step of bodies of mass 1 with forces f32 [num_envs, agents, 2]. As in MPE2, the position changes by the
 * velocity before the force. Fixed agents do not move.
 */
export function moved(
  { agents }: WorldFacts,
  { place, velocity }: Pick<Scene, "place" | "velocity">,
  force: Tensor,
): Pick<Scene, "place" | "velocity"> {
  const next = add(place, mul(velocity, STEP));
  const faster = add(mul(velocity, KEPT), mul(force, STEP));
  const hasTop = agents.some(({ top_speed }) => top_speed !== undefined);
  const speed = hasTop
    ? limited(faster, table(agents.map(({ top_speed = UNREACHED }) => top_speed)))
    : faster;
  const moves = table(agents.map(({ fixed = false }) => (fixed ? 0 : 1)));
  if (typeof moves === "number") return moves === 1 ? { place: next, velocity: speed } : { place, velocity };
  const free = greater(moves, 0);
  return { place: select(free, next, place), velocity: select(free, speed, velocity) };
}
