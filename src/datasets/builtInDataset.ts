/** Data sets built into rlkit, which manifests can name without a file. */

import { Random } from "../evolution/random.ts";
import { makeVector } from "../rl/environments.ts";
import { CARTPOLE_RULE } from "../specs/sections.ts";
import type { Dataset } from "./Dataset.ts";
import { FlatDataset } from "./flat/FlatDataset.ts";

/** Parallel lanes of CartPole. The data set is generated when it is opened. */
const LANES = 40;
/** Steps per lane; the last episode of a lane is truncated there. */
const STEPS = 500;
/** Probability of a random action. Without random actions, the rule balances the pole. */
const EPSILON = 0.4;
const SEED = 1;
/** Numbers in an observation: cart position and velocity, pole angle and angular velocity. */
const WIDTH = 4;

/** Pushes the cart towards the side the pole leans to, unless the action is random. */
function act(observation: Float32Array, lane: number, random: Random): number {
  if (random.uniform() < EPSILON) return random.integer(2);
  const [angle = 0, speed = 0] = observation.subarray(lane * WIDTH + 2, (lane + 1) * WIDTH);
  return angle + speed > 0 ? 1 : 0;
}

/**
 * 20,000 steps of a rule with two fifths of the actions replaced by random ones.
 * The result is always the same.
 */
function cartPoleRule(): Dataset {
  const rows = LANES * STEPS;
  const data = {
    observations: new Float32Array(rows * WIDTH),
    next_observations: new Float32Array(rows * WIDTH),
    actions: new Int32Array(rows),
    rewards: new Float32Array(rows),
    terminals: new Uint8Array(rows),
    truncations: new Uint8Array(rows),
  };
  const env = makeVector("CartPole-v1", LANES);
  const random = new Random({ seed: SEED });
  let { observation } = env.reset({ seed: SEED });
  for (let step = 0; step < STEPS; step++) {
    const seen = observation;
    const actions = Int32Array.from({ length: LANES }, (_, lane) => act(seen, lane, random));
    const next = env.step(actions);
    for (let lane = 0; lane < LANES; lane++) {
      // Rows are ordered lane by lane, so the steps of an episode are consecutive.
      const row = lane * STEPS + step;
      const [from, to] = [lane * WIDTH, (lane + 1) * WIDTH];
      data.observations.set(seen.subarray(from, to), row * WIDTH);
      data.next_observations.set(next.final_observation.subarray(from, to), row * WIDTH);
      data.actions[row] = actions[lane] ?? 0;
      data.rewards[row] = next.reward[lane] ?? 0;
      data.terminals[row] = next.terminated[lane] ?? 0;
      const isCut = next.truncated[lane] === 1 || step === STEPS - 1;
      data.truncations[row] = isCut && data.terminals[row] === 0 ? 1 : 0;
    }
    ({ observation } = next);
  }
  env.close();
  return FlatDataset.ofArrays(data, { source: CARTPOLE_RULE });
}

const made: Readonly<Record<string, () => Dataset>> = { [CARTPOLE_RULE]: cartPoleRule };

/** Creates the built-in data set of this name; `null` for other paths. */
export const builtInDataset = (path: string): Dataset | null => made[path]?.() ?? null;
