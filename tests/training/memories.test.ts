import { describe, expect, it } from "vitest";
import {
  createPopulation,
  MultiStepReplayBuffer,
  PrioritizedReplayBuffer,
  ReplayBuffer,
  type SupportedOffPolicyAgent,
} from "../../src/agents/classes.ts";
import { NetworkSection } from "../../src/manifests/index.ts";
import { makeVector } from "../../src/rl/environments.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { type OffPolicyOptions, trainOffPolicy } from "../../src/training/index.ts";
import { dqnPopulation, offPolicy } from "./support/functions.ts";
import { dqn, NETWORK, Recorder, statesOf, trained } from "./support/tiny.ts";

const RAINBOW = { name: "RainbowDQN", batch_size: 8, lr: 0.001, learn_step: 4, num_atoms: 11, gamma: 0.9 };

const rainbow = (changes: Partial<OffPolicyOptions> = {}): OffPolicyOptions => {
  const env = makeVector("CartPole-v1", 4);
  const pop = createPopulation({
    algorithm: RAINBOW as never,
    population_size: 2,
    net_config: NetworkSection.parse(NETWORK),
    observation_space: env.single_observation_space,
    action_space: env.single_action_space,
  });
  return offPolicy({ env, algo: "RainbowDQN", pop: pop as SupportedOffPolicyAgent[], ...changes });
};

/** A vector step of two lanes, with observations as CartPole's. */
const step = (reward: number) => ({
  obs: new Float32Array(8),
  action: [0, 1],
  reward: [reward, reward],
  next_obs: new Float32Array(8),
  done: [false, false],
});

describe("memories of training functions", () => {
  it("of several steps end with the bits of a manifest's, and hold the steps of the run", async () => {
    const memory = new MultiStepReplayBuffer({ max_size: 400, n_step: 3 });
    const [population] = await trainOffPolicy(offPolicy({ memory, max_steps: 320 }));
    const section = {
      kind: "classic" as const,
      max_size: 400,
      n_step_buffer: true,
      n_step_buffer_args: { n_step: 3 },
    };
    const training = { max_steps: 320 };
    const manifest = await trained(dqn({ training, replay_buffer: section }));
    expect(statesOf(population)).toEqual(statesOf(manifest.population));
    const plain = await trained(dqn({ training }));
    expect(statesOf(population)).not.toEqual(statesOf(plain.population));
    const object = await trained(
      dqn({ training, replay_buffer: new MultiStepReplayBuffer({ max_size: 400 }) }),
    );
    expect(statesOf(object.population)).toEqual(statesOf(population));

    expect([memory.size, memory.population]).toEqual([400, 2]);
    const { reward, discount } = memory.sample(200, { seed: 1 });
    // CartPole pays 1 a step: the return says how many steps there are.
    reward.forEach((sum, i) => {
      const steps = [1, 1.99, 2.9701].findIndex((known) => Math.abs(known - sum) < 1e-5);
      expect(discount[i]).toBeCloseTo(0.99 ** (steps + 1), 5);
    });
    expect(reward.some((sum) => sum > 2.9) && reward.some((sum) => sum < 2)).toBe(true);
  });

  it("of priorities are each agent's own, beside one of several steps", async () => {
    const memory = new PrioritizedReplayBuffer({ max_size: 1000, alpha: 0.7 });
    const n_step_memory = new MultiStepReplayBuffer({ max_size: 1000, n_step: 2, gamma: 0.9 });
    const [population] = await trainOffPolicy(rainbow({ memory, n_step_memory, max_steps: 160 }));
    const replay_buffer = {
      kind: "classic" as const,
      max_size: 1000,
      n_step_buffer: true,
      n_step_buffer_args: { n_step: 2 },
      per_buffer: true,
      per_buffer_args: { alpha: 0.7 },
    };
    const manifest = await trained(dqn({ algorithm: RAINBOW, training: { max_steps: 160 }, replay_buffer }));
    // A manifest's n_step is also one of the algorithm's fields.
    const networks = (agents: readonly { readonly state: { readonly networks: unknown } }[]) =>
      agents.map(({ state }) => state.networks);
    expect(networks(population)).toEqual(networks(manifest.population));

    expect(memory.rings).toEqual([
      { position: 160, count: 160 },
      { position: 160, count: 160 },
    ]);
    expect(n_step_memory.rings).toEqual(memory.rings);
    for (const slot of [0, 1]) {
      const range = { slot, start: 0, count: 160 };
      expect(n_step_memory.read(range)).toEqual(memory.read(range));
    }
    const { leaves } = memory.priorities;
    const held = [...leaves.subarray(0, 160), ...leaves.subarray(500, 660)];
    expect(held.every((leaf) => leaf > 0)).toBe(true);
    expect(new Set(held).size).toBeGreaterThan(50);
    expect(leaves.filter((leaf) => leaf > 0)).toHaveLength(320);
    const { idxs } = memory.sample(8, { seed: 1 });
    expect(n_step_memory.transitionsAt(idxs).discount.every((d) => d < 0.91)).toBe(true);

    // They may go on, and agents start from the priorities that the memory has.
    const more = async (priorities: number) => {
      const own = PrioritizedReplayBuffer.fromArrays(memory.toArrays());
      const rows = Int32Array.from({ length: 40 }, (_, row) => row);
      own.updatePriorities(rows, new Float32Array(40).fill(priorities));
      return networks((await trainOffPolicy(rainbow({ memory: own, max_steps: 160 })))[0]);
    };
    expect(await more(1)).toEqual(await more(1));
    expect(await more(1)).not.toEqual(await more(50));
  });

  it("filled by the caller are taken as they are, windows included", async () => {
    const memory = new PrioritizedReplayBuffer({ max_size: 400 });
    const n_step_memory = new MultiStepReplayBuffer({ max_size: 400, n_step: 2, gamma: 0.9 });
    for (const reward of [1, 2, 3]) {
      const first = n_step_memory.add(step(reward));
      if (first) memory.add(first);
    }
    const run = rainbow({ memory, n_step_memory, max_steps: 4, evo_steps: 4 });
    await trainOffPolicy(run);
    // Six steps before, dealt out to two members, and four steps of each.
    expect(memory.rings.map(({ count }) => count)).toEqual([7, 7]);
    expect([...memory.read({ slot: 0, start: 0, count: 3 }).reward]).toEqual([1, 1, 2]);
    n_step_memory.clear();
    n_step_memory.add(step(1));
    n_step_memory.flush();
    await expect(trainOffPolicy(run)).rejects.toThrow(
      /^n_step_memory: found 2 transitions where memory holds 14, allowed as many, or none: add to memory/,
    );
  });

  it("of priorities go on where a checkpoint left them", async () => {
    const run = async (max_steps: number, resume_from_checkpoint: string | null) => {
      const replay_buffer = new PrioritizedReplayBuffer({ max_size: 1000 });
      const options = { algorithm: RAINBOW, training: { max_steps }, replay_buffer, store };
      const trainOptions = { checkpoint_steps: 160, checkpoint_path: "c" };
      const { population } = await trained(dqn({ ...options, resume_from_checkpoint }), trainOptions);
      return { population: statesOf(population), priorities: replay_buffer.priorities };
    };
    const store = memoryFileStore();
    const whole = await run(320, null);
    expect(await run(320, "c_320")).toEqual(whole);
  });

  it("that discount otherwise than the agents say so", async () => {
    const warningsOf = async (memory: ReplayBuffer, fields: object) => {
      const observer = new Recorder();
      const env = makeVector("CartPole-v1", 4);
      const pop = dqnPopulation(env, 2, fields);
      await trainOffPolicy(offPolicy({ env, pop, memory, observer, max_steps: 160 }));
      return observer.warnings.filter((text) => text.includes("gamma"));
    };
    const memory = () => new MultiStepReplayBuffer({ max_size: 400, gamma: 0.9 });
    expect(await warningsOf(memory(), { gamma: 0.9 })).toEqual([]);
    expect(await warningsOf(memory(), { gamma: 0.95 })).toEqual([
      "memory.gamma is 0.9, but agents discount by 0.95: training uses each agent's own gamma",
    ]);
  });

  it.each<[string, () => OffPolicyOptions, string]>([
    [
      "priorities without Rainbow",
      () => offPolicy({ memory: new PrioritizedReplayBuffer({ max_size: 400 }) }),
      "trainOffPolicy: memory: found a PrioritizedReplayBuffer, and only RainbowDQN samples by priority, not DQN; allowed a ReplayBuffer or MultiStepReplayBuffer",
    ],
    [
      "two memories without priorities",
      () =>
        offPolicy({
          memory: new ReplayBuffer({ max_size: 400 }),
          n_step_memory: new MultiStepReplayBuffer({ max_size: 400 }),
        }),
      "trainOffPolicy: n_step_memory: found a MultiStepReplayBuffer, allowed only beside a PrioritizedReplayBuffer; give it as memory instead",
    ],
    [
      "two sizes",
      () =>
        rainbow({
          memory: new PrioritizedReplayBuffer({ max_size: 400 }),
          n_step_memory: new MultiStepReplayBuffer({ max_size: 300 }),
        }),
      "trainOffPolicy: n_step_memory: found max_size 300, allowed 400 (memory's max_size): they hold the same transitions",
    ],
  ])("refuse %s", async (_what, options, message) => {
    await expect(trainOffPolicy(options())).rejects.toThrow(message);
  });
});
