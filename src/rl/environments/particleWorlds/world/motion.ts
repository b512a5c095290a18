/**
 * Motion of the bodies of a particle world: contact forces, and positions and velocities after a step.
 */
import {
  add,
  cast,
  concat,
  div,
  greater,
  iota,
  maximum,
  mul,
  neg,
  type Operand,
  reshape,
  select,
  slice,
  softplus,
  sub,
  sum,
  type Tensor,
} from "../../../../kernels/index.ts";
import { pick } from "../../dynamics/numbers.ts";
import { gaps, length } from "./geometry.ts";
import { type Scene, STEP, type WorldFacts } from "./Scene.ts";

/** One number per body as a column [k, 1] or row [k] that broadcasts; a single number if all are equal. */
export function table(values: readonly number[], as: "column" | "row" = "column"): Operand {
  const [first = 0] = values;
  if (values.every((value) => value === first)) return first;
  const row = pick(cast(iota(values.length), "f32"), values);
  return as === "row" ? row : reshape(row, [values.length, 1]);
}

const STIFFNESS = 100;
/** Distance over which the contact force sets in. */
const MARGIN = 1e-3;
/**
 * Lower bound of distances in quotients: bodies at the same position have no direction, so their force is 0.
 */
const NO_DISTANCE = 1e-12;

const sum2 = (a: Operand, b: Operand): Operand =>
  typeof a === "number" && typeof b === "number" ? a + b : add(a, b);

/**
 * Positions [num_envs, bodies, 2] and radii of the agents, and of the landmarks if agents collide with them.
 */
function bodies(
  { agents, landmarks, contacts }: WorldFacts,
  { num_envs, place, landmarks: standing }: Scene,
) {
  const sizes = agents.map(({ size }) => size);
  if (contacts === "agents" || landmarks.count === 0) return { places: place, sizes };
  const flat = concat([
    reshape(place, [num_envs, 2 * agents.length]),
    reshape(standing, [num_envs, 2 * landmarks.count]),
  ]);
  const all = [...sizes, ...Array.from({ length: landmarks.count }, () => landmarks.size)];
  return { places: reshape(flat, [num_envs, all.length, 2]), sizes: all };
}

/**
 * Contact force on each agent, f32 [num_envs, agents, 2]: with distance d and radii a and b, each body pushes
 * it away with STIFFNESS * MARGIN * softplus((a + b - d) / MARGIN). An agent's offset to itself is 0, and so
 * is its force on itself.
 */
export function contactForces(facts: WorldFacts, scene: Scene): Tensor {
  const { places, sizes } = bodies(facts, scene);
  const [x, y] = gaps(scene.place, places);
  const distance = length(x, y);
  const own = table(sizes.slice(0, facts.agents.length));
  const depth = sub(sum2(own, table(sizes, "row")), distance);
  const pressure = mul(softplus(mul(depth, 1 / MARGIN)), STIFFNESS * MARGIN);
  const share = div(neg(pressure), maximum(distance, NO_DISTANCE));
  return concat([sum(mul(x, share), -1, true), sum(mul(y, share), -1, true)]);
}

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
