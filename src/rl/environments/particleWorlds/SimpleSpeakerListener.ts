import { broadcastTo, concat, neg, reshape, square, type Tensor } from "../../../kernels/index.ts";
import { withArguments } from "../definition/compiledEnvironment.ts";
import { HUES } from "./world/drawParticles.ts";
import { distancesTo, offsets, some } from "./world/geometry.ts";
import { particleWorld } from "./world/particleWorld.ts";
import { CommonOptions, colour, goalPlace } from "./world/Scene.ts";

const ID = "simple_speaker_listener_v4";
const WORDS = 3;
const [SPEAKER, LISTENER] = [0, 1];
/** Brightness of a landmark's colour: its own channel, and the other channels. */
const [BRIGHT, DULL] = [0.65, 0.15];

/**
 * The speaker knows which of three landmarks is the goal and cannot move. The listener moves, and observes
 * the speaker's words of the previous step. Reward of both: minus the squared distance of the listener to the
 * goal.
 */
export const SimpleSpeakerListener = withArguments(ID, CommonOptions, (options) =>
  particleWorld({
    id: ID,
    ...options,
    agents: [
      { id: "speaker_0", size: 0.075, observes: 3, fixed: true, words: WORDS },
      { id: "listener_0", size: 0.075, observes: 2 + 6 + WORDS },
    ],
    landmarks: { count: 3, size: 0.04 },
    goals: 1,
    observe: ({ num_envs, place, velocity, said, landmarks, goals }) => {
      const heard = reshape(said[SPEAKER] as Tensor, [num_envs, 1, WORDS]);
      const listener = some(place, LISTENER, 1);
      return [
        reshape(colour(goals[0] as Tensor, DULL, BRIGHT), [num_envs, 1, 3]),
        concat([some(velocity, LISTENER, 1), offsets(listener, landmarks), heard]),
      ];
    },
    reward: (scene) => {
      const distance = distancesTo(some(scene.place, LISTENER, 1), goalPlace(scene));
      return broadcastTo(neg(square(distance)), [scene.num_envs, 2]);
    },
    look: {
      agent: (i) => (i === SPEAKER ? "ground" : "accent"),
      landmark: (i) => HUES[i] ?? "muted",
      landmark_size: 0.07,
      seekers: [LISTENER],
    },
    glyph: [
      { path: "M22 24a7 7 0 1 1-14 0 7 7 0 1 1 14 0z" },
      { path: "M28 16a12 12 0 0 1 0 16M34 11a19 19 0 0 1 0 26", style: "guide" },
      { path: "M52 32a6 6 0 1 1-12 0 6 6 0 1 1 12 0z", style: "body" },
      { path: "M51 26 62 12", style: "moving" },
    ],
  }),
);
