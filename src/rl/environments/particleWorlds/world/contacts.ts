import {
  add,
  concat,
  div,
  maximum,
  mul,
  neg,
  type Operand,
  reshape,
  softplus,
  sub,
  sum,
  type Tensor,
} from "../../../../kernels/index.ts";
import { gaps, length } from "./geometry.ts";
import type { Scene } from "./Scene.ts";
import { table } from "./table.ts";
import type { WorldFacts } from "./WorldFacts.ts";

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
