import {
  abs,
  add,
  broadcastTo,
  cast,
  concat,
  exp,
  less,
  minimum,
  mul,
  neg,
  reshape,
  select,
  sub,
  sum,
  type Tensor,
} from "../../../kernels/index.ts";
import { withArguments } from "../definition/compiledEnvironment.ts";
import { distances, offsets, ofOthers, some } from "./world/geometry.ts";
import { particleWorld } from "./world/particleWorld.ts";
import { CommonOptions, count, type ParticleAgent } from "./world/Scene.ts";

const ID = "simple_tag_v3";
const HUNTER = { size: 0.075, push: 3, top_speed: 1 };
const PREY = { size: 0.05, push: 4, top_speed: 1.3 };
const CATCH = 10;

/**
 * Penalty of the prey for one coordinate: 0 below 0.9, rising outside, at most 10. `u`: absolute coordinate.
 */
function border(u: Tensor): Tensor {
  // exp(3) is above 10 and does not overflow f32.
  const outside = minimum(exp(minimum(sub(mul(u, 2), 2), 3)), 10);
  return select(less(u, 0.9), 0, select(less(u, 1), mul(sub(u, 0.9), 10), outside));
}

/**
 * Slow adversaries hunt fast agents among obstacles. Reward of every adversary: 10 for each touching pair of
 * an adversary and an agent. Reward of an agent: -10 for each adversary that touches it, minus a penalty for
 * leaving the square.
 */
export const SimpleTag = withArguments(
  ID,
  { ...CommonOptions, num_good: count(1, 1), num_adversaries: count(1, 3), num_obstacles: count(0, 2) },
  ({ num_good: good, num_adversaries: hunters, num_obstacles: obstacles, ...options }) => {
    const sees = 4 + 2 * obstacles + 2 * (hunters + good - 1);
    const named = (name: string, n: number, facts: Omit<ParticleAgent, "id">): ParticleAgent[] =>
      Array.from({ length: n }, (_, i) => ({ id: `${name}_${i}`, ...facts }));
    return particleWorld({
      id: ID,
      ...options,
      agents: [
        ...named("adversary", hunters, { ...HUNTER, observes: sees + 2 * good }),
        ...named("agent", good, { ...PREY, observes: sees + 2 * (good - 1) }),
      ],
      landmarks: { count: obstacles, size: 0.2, range: 0.9 },
      contacts: "all",
      observe: ({ num_envs, place, velocity, landmarks }) => {
        const seen = concat([
          velocity,
          place,
          ...(obstacles > 0 ? [offsets(place, landmarks)] : []),
          ofOthers(offsets(place, place)),
        ]);
        const speeds = reshape(some(velocity, hunters, good), [num_envs, 1, 2 * good]);
        const ofAll = (n: number): Tensor => broadcastTo(speeds, [num_envs, n, 2 * good]);
        const prey = some(seen, hunters, good);
        return [
          concat([some(seen, 0, hunters), ofAll(hunters)]),
          good === 1 ? prey : concat([prey, ofOthers(ofAll(good))]),
        ];
      },
      reward: ({ num_envs, place }) => {
        const prey = some(place, hunters, good);
        const near = less(distances(prey, some(place, 0, hunters)), HUNTER.size + PREY.size);
        const caught = sum(mul(cast(near, "f32"), CATCH));
        const outside = sum(border(abs(prey)));
        const all = sum(caught, -1, true);
        return concat([broadcastTo(all, [num_envs, hunters]), neg(add(caught, outside))]);
      },
      look: {
        agent: (i) => (i < hunters ? "ink" : "accent"),
      },
      glyph: [
        { path: "M46 24a7 7 0 1 1-14 0 7 7 0 1 1 14 0z", style: "guide" },
        { path: "M22 14a5 5 0 1 1-10 0 5 5 0 1 1 10 0zM24 36a5 5 0 1 1-10 0 5 5 0 1 1 10 0z", style: "body" },
        { path: "M60 18a4 4 0 1 1-8 0 4 4 0 1 1 8 0z" },
        { path: "M59 14 66 6", style: "moving" },
      ],
    });
  },
);
