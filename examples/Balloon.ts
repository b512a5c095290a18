/** A balloon in a room: burn or drift, and touch neither floor nor ceiling. */
import { abs, add, equal, greater, mul, ones, select, stackColumns } from "../src/kernels/index.ts";
import { at, bar, compiledEnvironment, disc, scene } from "../src/rl/environments.ts";
import { Box, Discrete } from "../src/rl/spaces.ts";

/** Seconds a step takes. */
const STEP = 0.05;

/** Height in [-1, 1] m, 0 in the middle; action 1 burns, 0 drifts; reward 1 a step until the balloon touches something. */
export const Balloon = compiledEnvironment({
  id: "rlkit/Balloon-v0",
  observation_space: new Box({ low: [-1, -Infinity], high: [1, Infinity] }),
  action_space: new Discrete(2),
  max_episode_steps: 200,
  reward_threshold: 190,
  resetRanges: { height: [-0.3, 0.3], speed: [-0.2, 0.2] },
  observe: ({ height, speed }) => stackColumns([height, speed]),
  step: ({ height, speed }, action) => {
    const lift = select(equal(action, 1), 1, -1);
    const next = { height: add(height, mul(speed, STEP)), speed: add(speed, mul(lift, STEP)) };
    return { state: next, reward: ones(height.shape), terminated: greater(abs(next.height), 1) };
  },
  draw: scene({ left: -1.5, right: 1.5, bottom: -1.3, top: 1.3 }, (context, state, action, theme) => {
    const height = at(state, 0);
    for (const edge of [-1.25, 1.25]) bar(context, [-1.5, edge], [1.5, edge], 0.04, theme.muted);
    if (action === 1) bar(context, [0, height - 0.25], [0, height - 0.32], 0.08, theme.ink);
    disc(context, 0, height, 0.2, theme.accent);
  }),
  glyph: [
    { path: "M10 4h52M10 44h52", style: "guide" },
    { path: "M46 20a10 10 0 1 1-20 0 10 10 0 1 1 20 0z", style: "body" },
    { path: "M36 34v5", style: "moving" },
  ],
  frame_rate: 20,
});
