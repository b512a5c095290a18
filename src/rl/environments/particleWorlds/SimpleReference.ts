import { add, concat, mean, mul, neg, reshape, type Tensor } from "../../../kernels/index.ts";
import { withArguments } from "../definition/compiledEnvironment.ts";
import { HUES } from "./world/drawParticles.ts";
import { distancesTo, offsets, some } from "./world/geometry.ts";
import { particleWorld } from "./world/particleWorld.ts";
import { CommonOptions, colour, goalPlace, local_ratio } from "./world/Scene.ts";

const ID = "simple_reference_v3";
const WORDS = 10;
/** Brightness of a landmark's colour: its own channel, and the other channels. */
const [BRIGHT, DULL] = [0.75, 0.25];

/**
 * Two agents move and communicate; each knows which landmark the other must reach. Goal i is the landmark of
 * agent i. Reward of each agent: minus the other agent's distance to its landmark, mixed with the mean of
 * both distances.
 */
export const SimpleReference = withArguments(
  ID,
  { ...CommonOptions, local_ratio },
  ({ local_ratio: share, ...options }) =>
    particleWorld({
      id: ID,
      ...options,
      agents: ["agent_0", "agent_1"].map((id) => ({
        id,
        size: 0.05,
        observes: 2 + 6 + 3 + WORDS,
        words: WORDS,
      })),
      landmarks: { count: 3, size: 0.04 },
      goals: 2,
      observe: ({ num_envs, place, velocity, said, landmarks, goals }) => {
        const seen = concat([velocity, offsets(place, landmarks)]);
        return [0, 1].map((i) => {
          const told = colour(goals[1 - i] as Tensor, DULL, BRIGHT);
          const row = [told, said[1 - i] as Tensor].map((x) =>
            reshape(x, [num_envs, 1, x.shape[1] as number]),
          );
          return concat([some(seen, i, 1), ...row]);
        });
      },
      reward: (scene) => {
        const distance = [0, 1].map((i) => distancesTo(some(scene.place, i, 1), goalPlace(scene, i)));
        const others = concat([...distance].reverse());
        return neg(add(mul(others, share), mul(mean(others, -1, true), 1 - share)));
      },
      look: {
        agent: (i, goals) => HUES[goals[i] ?? 0] ?? "accent",
        landmark: (i) => HUES[i] ?? "muted",
        landmark_size: 0.07,
        seekers: [0, 1],
      },
      glyph: [
        { path: "M22 30a6 6 0 1 1-12 0 6 6 0 1 1 12 0z", style: "body" },
        { path: "M62 30a6 6 0 1 1-12 0 6 6 0 1 1 12 0z", style: "body" },
        { path: "M26 24a10 10 0 0 1 0 12M46 24a10 10 0 0 0 0 12", style: "guide" },
        { path: "M20 24 30 10M52 24 42 10", style: "moving" },
      ],
    }),
);
