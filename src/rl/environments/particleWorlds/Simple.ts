import { concat, neg, reshape, square } from "../../../kernels/index.ts";
import { withArguments } from "../definition/compiledEnvironment.ts";
import { distances, offsets } from "./world/geometry.ts";
import { particleWorld } from "./world/particleWorld.ts";
import { CommonOptions } from "./world/Scene.ts";

const ID = "simple_v3";

/** One agent must reach a landmark. Reward: minus the squared distance. */
export const Simple = withArguments(ID, CommonOptions, (options) =>
  particleWorld({
    id: ID,
    ...options,
    agents: [{ id: "agent_0", size: 0.05, observes: 4 }],
    landmarks: { count: 1, size: 0.05 },
    observe: ({ place, velocity, landmarks }) => [concat([velocity, offsets(place, landmarks)])],
    reward: ({ num_envs, place, landmarks }) =>
      reshape(neg(square(distances(place, landmarks))), [num_envs, 1]),
    look: {},
    glyph: [
      { path: "M56 14a5 5 0 1 1-10 0 5 5 0 1 1 10 0z", style: "body" },
      { path: "M28 32 42 20", style: "moving" },
      { path: "M28 34a6 6 0 1 1-12 0 6 6 0 1 1 12 0z" },
    ],
  }),
);
