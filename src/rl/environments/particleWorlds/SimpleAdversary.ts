import { broadcastTo, concat, neg, reshape, slice, sub } from "../../../kernels/index.ts";
import { withArguments } from "../definition/compiledEnvironment.ts";
import { distancesTo, least, offsets, ofOthers, some } from "./world/geometry.ts";
import { particleWorld } from "./world/particleWorld.ts";
import { CommonOptions, count, goalPlace } from "./world/Scene.ts";

const ID = "simple_adversary_v3";

/**
 * One of N landmarks is the goal. The agents know which one; the adversary does not. Agents must cover the
 * goal and mislead the adversary. Reward of the adversary: minus its distance to the goal. Reward of each
 * agent: that distance minus the distance of the agent nearest to the goal.
 */
export const SimpleAdversary = withArguments(ID, { ...CommonOptions, N: count(1, 2) }, ({ N, ...options }) =>
  particleWorld({
    id: ID,
    ...options,
    agents: [
      { id: "adversary_0", size: 0.15, observes: 4 * N },
      ...Array.from({ length: N }, (_, i) => ({ id: `agent_${i}`, size: 0.15, observes: 2 + 4 * N })),
    ],
    landmarks: { count: N, size: 0.08 },
    goals: 1,
    observe: (scene) => {
      const { num_envs, place, landmarks } = scene;
      const seen = concat([offsets(place, landmarks), ofOthers(offsets(place, place))]);
      const goal = reshape(goalPlace(scene), [num_envs, 1, 2]);
      return [some(seen, 0, 1), concat([offsets(some(place, 1, N), goal), some(seen, 1, N)])];
    },
    reward: (scene) => {
      const distance = distancesTo(scene.place, goalPlace(scene));
      const adversary = slice(distance, 0, 1);
      const nearest = reshape(least(slice(distance, 1, N)), [scene.num_envs, 1]);
      return concat([neg(adversary), broadcastTo(sub(adversary, nearest), [scene.num_envs, N])]);
    },
    look: { agent: (i) => (i === 0 ? "ink" : "accent") },
    glyph: [
      {
        path: "M58 12a6 6 0 1 1-12 0 6 6 0 1 1 12 0zM62 12a10 10 0 1 1-20 0 10 10 0 1 1 20 0z",
        style: "guide",
      },
      { path: "M24 36a6 6 0 1 1-12 0 6 6 0 1 1 12 0z", style: "body" },
      { path: "M50 38a6 6 0 1 1-12 0 6 6 0 1 1 12 0z" },
      { path: "M23 31 40 18", style: "moving" },
    ],
  }),
);
