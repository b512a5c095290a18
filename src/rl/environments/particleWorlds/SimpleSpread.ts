import { cast, concat, less, mul, sub, sum, zeros } from "../../../kernels/index.ts";
import { withArguments } from "../definition/compiledEnvironment.ts";
import { distances, least, offsets, ofOthers } from "./world/geometry.ts";
import { particleWorld } from "./world/particleWorld.ts";
import { CommonOptions, count, local_ratio } from "./world/Scene.ts";

const ID = "simple_spread_v3";
const SIZE = 0.15;

/**
 * Agents must cover equally many landmarks without touching each other. Shared reward: minus the sum of each
 * landmark's distance to its nearest agent. Own reward: -1 for every other agent that the agent touches.
 */
export const SimpleSpread = withArguments(
  ID,
  { ...CommonOptions, N: count(1, 3), local_ratio },
  ({ N, local_ratio: share, ...options }) =>
    particleWorld({
      id: ID,
      ...options,
      agents: Array.from({ length: N }, (_, i) => ({ id: `agent_${i}`, size: SIZE, observes: 6 * N })),
      landmarks: { count: N, size: 0.05 },
      contacts: "agents",
      observe: ({ num_envs, place, velocity, landmarks }) => {
        const alone = [velocity, place, offsets(place, landmarks)];
        if (N === 1) return [concat(alone)];
        // The words of the others, which are silent.
        const silence = zeros([num_envs, N, 2 * (N - 1)]);
        return [concat([...alone, ofOthers(offsets(place, place)), silence])];
      },
      reward: ({ place, landmarks }) => {
        const touching = sum(cast(less(distances(place, place), 2 * SIZE), "f32"));
        const uncovered = sum(least(distances(landmarks, place)), -1, true);
        // `touching` counts the agent itself too.
        const own = sub(1, touching);
        return sub(mul(own, share), mul(uncovered, 1 - share));
      },
      look: { landmark_size: 0.05 },
      glyph: [
        { path: "M16 14h.1M36 36h.1M58 12h.1", style: "guide" },
        { path: "M24 20a6 6 0 1 1-12 0 6 6 0 1 1 12 0z", style: "body" },
        { path: "M42 28a6 6 0 1 1-12 0 6 6 0 1 1 12 0z", style: "body" },
        { path: "M62 22a6 6 0 1 1-12 0 6 6 0 1 1 12 0z", style: "body" },
      ],
    }),
);
