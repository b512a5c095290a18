/** Steps in CartPole that are made when somebody learns from them. */
import { Random } from "../../evolution/random.ts";
import { makeVector } from "../../rl/environments/index.ts";
import { CARTPOLE_RULE } from "../../specs/builtInData.ts";
import type { Dataset } from "../Dataset.ts";
import { FlatDataset } from "../flat/FlatDataset.ts";

const LANES = 40;
/** Of each lane; the last episode of a lane is cut there. */
const STEPS = 500;
/** Actions that are random; without them the rule balances the pole. */
const EPSILON = 0.4;
const SEED = 1;
/** Numbers of an observation: position, speed, angle and its speed. */
const WIDTH = 4;

/** Leans with the pole, where it is not random. */
function act(observation: Float32Array, lane: number, random: Random): number {
  if (random.uniform() < EPSILON) return random.integer(2);
  const [angle = 0, speed = 0] = observation.subarray(lane * WIDTH + 2, (lane + 1) * WIDTH);
  return angle + speed > 0 ? 1 : 0;
}

/** 20,000 steps of a rule of which two fifths of the actions are random; always the same. */
export function cartPoleRule(): Dataset {
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
      // Episodes stand one after another: lane by lane.
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
