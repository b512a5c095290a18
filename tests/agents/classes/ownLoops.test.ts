/** Custom training loops: agents learn from replay buffers by hand. */
import { describe, expect, it } from "vitest";
import { MultiStepReplayBuffer, PrioritizedReplayBuffer } from "../../../src/agents/classes.ts";
import { RainbowDQN } from "../../../src/agents/index.ts";
import { Random } from "../../../src/evolution/random.ts";
import { NetworkSection } from "../../../src/manifests/index.ts";
import { EvolvableMLP } from "../../../src/rl/networks.ts";
import { decodeAgent, encodeAgent } from "../../../src/training/files.ts";
import { SMALL_NETWORK } from "../../rl/support/agents.ts";
import { probe } from "../../rl/support/probes.ts";

const env = probe("policy");
const { observation_space, action_space } = env;
const rainbow = (given: { actor_network?: EvolvableMLP } = {}) =>
  new RainbowDQN({
    observation_space,
    action_space,
    net_config: NetworkSection.parse(SMALL_NETWORK),
    lr: 3e-3,
    tau: 0.05,
    gamma: 0.9,
    v_min: -2,
    v_max: 2,
    num_atoms: 21,
    seed: 3,
    ...given,
  });

/** Replay buffers in lockstep, filled with random play. */
function filled() {
  const memory = new PrioritizedReplayBuffer({ max_size: 300 });
  const n_step_memory = new MultiStepReplayBuffer({ max_size: 300, gamma: 0.9 });
  const random = new Random({ seed: 1 });
  let obs = env.reset({ seed: 1 }).observation;
  while (!memory.isFull) {
    const action = env.action_space.sample(random);
    const { observation, reward, terminated } = env.step(action);
    const first = n_step_memory.add({ obs, action, reward, next_obs: observation, done: terminated });
    if (first) memory.add(first);
    obs = terminated ? env.reset().observation : observation;
  }
  return { memory, n_step_memory, random };
}

/** Lets the agent learn by hand until it solves the probe. */
function assertSolves(agent: RainbowDQN): void {
  const { memory, n_step_memory, random } = filled();
  for (let i = 0; i < 300; i++) {
    const { idxs, weights, obs } = memory.sample(32, { random, beta: 0.6 });
    const batch = n_step_memory.transitionsAt(idxs);
    expect(batch.obs).toEqual(obs);
    const { priorities } = agent.learn(batch, { weights });
    memory.updatePriorities(idxs, priorities);
  }
  expect([0, 1].map((obs) => agent.getAction(obs, { training: false }))).toEqual([0, 1]);
  expect(new Set(memory.priorities.leaves).size).toBeGreaterThan(20);
}

describe("RainbowDQN in a loop of the caller's", () => {
  it("solves the policy probe from priorities and returns over several steps", () => assertSolves(rainbow()));

  it("solves it with a plain network of the caller's, also after mutations and from a file", () => {
    const actor_network = new EvolvableMLP({
      num_inputs: 2,
      num_outputs: 2 * 21,
      hidden_size: [16],
      min_mlp_nodes: 8,
      noisy: true,
      random_seed: 3,
    });
    const agent = rainbow({ actor_network });
    expect(agent.mutateArchitecture({ new_layer_prob: 0, key: { seed: 1 } })).toMatch(/node/);
    assertSolves(agent);
    const { agent: saved } = decodeAgent(encodeAgent(agent.state), "agent.safetensors");
    const copy = new RainbowDQN({ observation_space, action_space, state: saved });
    expect([0, 1].map((obs) => copy.getAction(obs, { training: false }))).toEqual([0, 1]);
  });

  it("takes each transition's own discount, of n_step steps where none is given", () => {
    const batch = { obs: [0, 1], action: [0, 1], reward: [1, 0], next_obs: [1, 0], done: [false, false] };
    const weightsAfter = (learn: (agent: RainbowDQN) => unknown) => {
      const agent = rainbow();
      learn(agent);
      return agent.state.networks;
    };
    const two = weightsAfter((agent) => agent.learn(batch, { n_step: 2 }));
    const discount = [0.9 * 0.9, 0.9 * 0.9];
    expect(weightsAfter((agent) => agent.learn({ ...batch, discount }))).toEqual(two);
    expect(weightsAfter((agent) => agent.learn({ ...batch, discount: [0.81, 0.9] }))).not.toEqual(two);
    expect(() => rainbow().learn({ ...batch, discount: [1] })).toThrow(
      "experiences.discount: found 1 numbers, allowed 2",
    );
  });
});
