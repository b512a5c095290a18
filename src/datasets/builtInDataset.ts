/** Data sets built into rlkit, which manifests can name without a file. */

import { Random } from "../evolution/random.ts";
import { makeVector } from "../rl/environments.ts";
import { CARTPOLE_RULE, PENDULUM_RULE } from "../specs/sections.ts";
import type { Dataset } from "./Dataset.ts";
import { FlatDataset } from "./flat/FlatDataset.ts";

/** Parallel lanes. A data set is generated when it is opened. */
const LANES = 40;
/** Steps per lane; the last episode of a lane is truncated there. */
const STEPS = 500;
/** Probability of a random action. Without random actions, the rules balance the pole. */
const EPSILON = 0.4;
const SEED = 1;

/** A rule that acts in an environment, clumsily. */
interface Rule {
  readonly environment: string;
  /** Numbers in an observation. */
  readonly width: number;
  readonly actions: Float32ArrayConstructor | Int32ArrayConstructor;
  readonly act: (observation: readonly number[]) => number;
  readonly random: (random: Random) => number;
}

/** Cart position and velocity, pole angle and angular velocity: pushes to the side on which the pole leans. */
const CARTPOLE: Rule = {
  environment: "CartPole-v1",
  width: 4,
  actions: Int32Array,
  act: ([, , angle = 0, speed = 0]) => (angle + speed > 0 ? 1 : 0),
  random: (random) => random.integer(2),
};

/** Largest torque. */
const TORQUE = 2;
/** Energy of the pendulum at rest on top, in units of its inertia. */
const TOP = 15;
/** Cosine of the angle to the top from which torque can hold the pendulum. */
const NEAR = 0.92;

/** Cosine and sine of the angle to the top, and the speed: pumps energy, then holds the pendulum upright. */
const PENDULUM: Rule = {
  environment: "Pendulum-v1",
  width: 3,
  actions: Float32Array,
  act: ([cos = 1, sin = 0, speed = 0]) => {
    const missing = TOP - (speed * speed) / 2 - TOP * cos;
    const torque = cos > NEAR ? -10 * sin - 2 * speed : missing * speed;
    return Math.min(TORQUE, Math.max(-TORQUE, torque));
  },
  random: (random) => TORQUE * (2 * random.uniform() - 1),
};

/**
 * 20,000 steps of a rule with two fifths of the actions replaced by random ones.
 * The result is always the same.
 */
function dataOf(
  { environment, width, actions: Numbers, act, random: anyAction }: Rule,
  source: string,
): Dataset {
  const rows = LANES * STEPS;
  const data = {
    observations: new Float32Array(rows * width),
    next_observations: new Float32Array(rows * width),
    actions: new Numbers(rows),
    rewards: new Float32Array(rows),
    terminals: new Uint8Array(rows),
    truncations: new Uint8Array(rows),
  };
  const env = makeVector(environment, LANES);
  const random = new Random({ seed: SEED });
  let { observation } = env.reset({ seed: SEED });
  for (let step = 0; step < STEPS; step++) {
    const seen = observation;
    const actions = new Numbers(LANES);
    for (let lane = 0; lane < LANES; lane++) {
      const own = Array.from(seen.subarray(lane * width, (lane + 1) * width));
      actions[lane] = random.uniform() < EPSILON ? anyAction(random) : act(own);
    }
    const next = env.step(actions);
    for (let lane = 0; lane < LANES; lane++) {
      // Rows are ordered lane by lane, so the steps of an episode are consecutive.
      const row = lane * STEPS + step;
      const [from, to] = [lane * width, (lane + 1) * width];
      data.observations.set(seen.subarray(from, to), row * width);
      data.next_observations.set(next.final_observation.subarray(from, to), row * width);
      data.actions[row] = actions[lane] ?? 0;
      data.rewards[row] = next.reward[lane] ?? 0;
      data.terminals[row] = next.terminated[lane] ?? 0;
      const isCut = next.truncated[lane] === 1 || step === STEPS - 1;
      data.truncations[row] = isCut && data.terminals[row] === 0 ? 1 : 0;
    }
    ({ observation } = next);
  }
  env.close();
  return FlatDataset.ofArrays(data, { source });
}

const RULES: Readonly<Record<string, Rule>> = { [CARTPOLE_RULE]: CARTPOLE, [PENDULUM_RULE]: PENDULUM };

/** Creates the built-in data set of this name; `null` for other paths. */
export function builtInDataset(path: string): Dataset | null {
  const rule = RULES[path];
  return rule ? dataOf(rule, path) : null;
}
