import { TD3 } from "../../src/agents/classes.ts";
import { bindAgent, Residence, structureOf } from "../../src/agents/members.ts";
import { WasmDevice } from "../../src/kernels/devices.ts";
import { findEnvironment } from "../../src/rl/environments.ts";
import { EvolvableMLP } from "../../src/rl/networks.ts";
import { learnProgram, type OffPolicyStructure } from "../../src/rl/programs.ts";
import { flatSize } from "../../src/rl/spaces.ts";
import type { Row } from "../harness/Row.ts";
import { median } from "../harness/statistics.ts";

const [BATCH, BLOCKS, STEPS] = [256, 15, 20];

/** Two hidden layers of 256 units, as in the paper, without normalisation. */
const perceptron = (num_inputs: number, num_outputs: number, output_activation: "Tanh" | null) =>
  new EvolvableMLP({
    num_inputs,
    num_outputs,
    hidden_size: [256, 256],
    layer_norm: false,
    output_activation,
  });

/** Milliseconds per learning step, including the policy update in every second step. */
function learningStep(): number {
  const { observation_space, action_space } = findEnvironment("LunarLanderContinuous-v3");
  const [inputs, actions] = [flatSize(observation_space), flatSize(action_space)];
  const critic = () => perceptron(inputs + actions, 1, null);
  const { state: agent } = new TD3({
    observation_space,
    action_space,
    batch_size: BATCH,
    actor_network: perceptron(inputs, actions, "Tanh"),
    critic_networks: [critic(), critic()],
  });
  const layout = { observation_space, action_space };
  const program = learnProgram(structureOf(agent) as OffPolicyStructure, layout);
  const residence = new Residence(new WasmDevice());
  residence.prepare(agent, [program], bindAgent(agent, { num_envs: 1, batch: BATCH }));
  residence.load(agent);
  residence.arena.write("batch.discount", new Float32Array(BATCH).fill(0.99));
  const times: number[] = [];
  for (let block = 0; block < BLOCKS; block++) {
    const start = performance.now();
    for (let step = 0; step < STEPS; step++) residence.run(program);
    times.push((performance.now() - start) / STEPS);
  }
  return median(times);
}

export const td3Step: Row = {
  name: "td3-step",
  title: "one TD3 learning step, two hidden layers of 256, batch 256, policy_freq 2; one core",
  figures: [{ name: "rlkit, wasm", unit: "ms", target: { at_most: 9 }, digits: 2 }],
  measure: async () => [learningStep()],
};
