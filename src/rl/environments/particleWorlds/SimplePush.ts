import { add, broadcastTo, concat, neg, reshape, slice, sub, type Tensor } from "../../../kernels/index.ts";
import { withArguments } from "../definition/compiledEnvironment.ts";
import { HUES } from "./world/drawParticles.ts";
import { distancesTo, offsets, ofOthers, some } from "./world/geometry.ts";
import { particleWorld } from "./world/particleWorld.ts";
import { CommonOptions, colour, goalPlace } from "./world/Scene.ts";

const ID = "simple_push_v3";
const [ADVERSARY, AGENT] = [0, 1];
/** Colour channel of the first landmark. */
const FIRST = 1;
/** Brightness of colours: the bright channel, and the other channels. */
const LANDMARK = { bright: 0.9, dull: 0.1 };
const OWN = { bright: 0.75, dull: 0.25 };

/**
 * An agent knows which of two landmarks is the goal; an adversary does not know it and pushes the agent away.
 * Reward of the agent: minus its distance to the goal. Reward of the adversary: that distance minus its own
 * distance to the goal.
 */
export const SimplePush = withArguments(ID, CommonOptions, (options) =>
  particleWorld({
    id: ID,
    ...options,
    agents: [
      { id: "adversary_0", size: 0.05, observes: 8 },
      { id: "agent_0", size: 0.05, observes: 19 },
    ],
    landmarks: { count: 2, size: 0.05 },
    goals: 1,
    contacts: "agents",
    observe: (scene) => {
      const { num_envs, place, velocity, landmarks, goals } = scene;
      const toLandmarks = offsets(place, landmarks);
      const toOther = ofOthers(offsets(place, place));
      const goal = reshape(goalPlace(scene), [num_envs, 1, 2]);
      const row = (x: Tensor): Tensor => reshape(x, [num_envs, 1, 3]);
      const [first, second] = [FIRST, FIRST + 1].map((channel) =>
        row(colour(broadcastTo(channel, [num_envs]), LANDMARK.dull, LANDMARK.bright)),
      ) as [Tensor, Tensor];
      const of = (x: Tensor, agent: number): Tensor => some(x, agent, 1);
      return [
        concat([of(velocity, ADVERSARY), of(toLandmarks, ADVERSARY), of(toOther, ADVERSARY)]),
        concat([
          of(velocity, AGENT),
          offsets(of(place, AGENT), goal),
          row(colour(add(goals[0] as Tensor, FIRST), OWN.dull, OWN.bright)),
          of(toLandmarks, AGENT),
          first,
          second,
          of(toOther, AGENT),
        ]),
      ];
    },
    reward: (scene) => {
      const distance = distancesTo(scene.place, goalPlace(scene));
      const agent = slice(distance, AGENT, 1);
      return concat([sub(agent, slice(distance, ADVERSARY, 1)), neg(agent)]);
    },
    look: {
      agent: (i) => (i === ADVERSARY ? "ink" : "accent"),
      landmark: (i) => HUES[FIRST + i] ?? "muted",
    },
    glyph: [
      { path: "M62 14a5 5 0 1 1-10 0 5 5 0 1 1 10 0z", style: "guide" },
      { path: "M30 34a6 6 0 1 1-12 0 6 6 0 1 1 12 0z", style: "body" },
      { path: "M42 30a6 6 0 1 1-12 0 6 6 0 1 1 12 0z" },
      { path: "M8 40 15 37M42 24 50 18", style: "moving" },
    ],
  }),
);
