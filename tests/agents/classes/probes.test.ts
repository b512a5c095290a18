import { describe, expect, it } from "vitest";
import { DQN, ReplayBuffer } from "../../../src/agents/classes.ts";
import { PPO } from "../../../src/agents/index.ts";
import { Random } from "../../../src/evolution/random.ts";
import { NetworkSection } from "../../../src/manifests/index.ts";
import { type HostEnvironment, SyncVectorEnvironment } from "../../../src/rl/faces.ts";
import { PLAIN_MEMORY } from "../../../src/rl/programs.ts";
import { SMALL_NETWORK } from "../../rl/support/agents.ts";
import { type ProbeName, probe } from "../../rl/support/probes.ts";
import { hostTurn } from "../../rl/support/turns.ts";
import { outputs } from "../../rl/support/values.ts";

const net_config = NetworkSection.parse(SMALL_NETWORK);
const spacesOf = ({ observation_space, action_space }: HostEnvironment) => ({
  observation_space,
  action_space,
});

/** The largest elementwise difference; NaN if the shapes differ. */
function worst(found: readonly (readonly number[])[], wanted: readonly (readonly number[])[]): number {
  if (found.flat().length !== wanted.flat().length) return Number.NaN;
  return Math.max(
    ...found.flatMap((row, i) => row.map((x, j) => Math.abs(x - (wanted[i]?.[j] ?? Number.NaN)))),
  );
}

/** A DQN agent that has learned from random play. */
function learnedDQN(name: ProbeName, learns: number, double = false): DQN {
  const env = probe(name);
  const agent = new DQN({ ...spacesOf(env), net_config, lr: 3e-3, tau: 0.05, double, seed: 3 });
  const memory = new ReplayBuffer({ max_size: 1000 });
  const random = new Random({ seed: 1 });
  let obs = env.reset({ seed: 1 }).observation;
  while (!memory.isFull) {
    const action = env.action_space.sample(random);
    const { observation, reward, terminated } = env.step(action);
    memory.add({ obs, action, reward, next_obs: observation, done: terminated });
    obs = terminated ? env.reset().observation : observation;
  }
  for (let i = 0; i < learns; i++) agent.learn(memory.sample(64, { random }));
  return agent;
}

describe("DQN learns the values of", () => {
  const cases: [ProbeName, number, number[][]][] = [
    ["observationDependent", 400, [[-1], [1]]],
    ["discounted", 800, [[0.99], [1]]],
    [
      "policy",
      600,
      [
        [1, -1],
        [-1, 1],
      ],
    ],
    [
      "shiftedPolicy",
      600,
      [
        [1, -1],
        [-1, 1],
      ],
    ],
  ];
  it.each(cases)("the %s probe", (name, learns, values) => {
    const agent = learnedDQN(name, learns);
    expect(worst(outputs(agent.state, "actor", values.length), values)).toBeLessThan(0.1);
  });

  it("the discounted probe with double Q targets", () => {
    expect(worst(outputs(learnedDQN("discounted", 800, true).state, "actor", 2), [[0.99], [1]])).toBeLessThan(
      0.1,
    );
  });

  it("and acts on them, as the environment numbers its actions", () => {
    const agent = learnedDQN("shiftedPolicy", 600);
    expect([agent.getAction(0), agent.getAction(1)]).toEqual([5, 6]);
    expect(agent.test(probe("shiftedPolicy"), { loop: 20 })).toBe(1);
  });
});

/** A PPO agent that has collected and learned for a few generations. */
function learnedPPO(name: ProbeName, rollouts: number, share_encoders: boolean): PPO {
  const env = new SyncVectorEnvironment(Array.from({ length: 8 }, () => () => probe(name)));
  const agent = new PPO({
    ...spacesOf(probe(name)),
    net_config,
    lr: 5e-3,
    learn_step: 128,
    batch_size: 64,
    ent_coef: 0,
    share_encoders,
    seed: 3,
  });
  agent.state = hostTurn(agent.state, env, { num_envs: 8, evo_steps: rollouts * 128 }).agent;
  return agent;
}

describe("PPO learns", () => {
  const values: [ProbeName, number, number[][]][] = [
    ["constant", 40, [[1]]],
    ["observationDependent", 40, [[-1], [1]]],
    ["discounted", 60, [[0.99], [1]]],
  ];
  for (const share_encoders of [true, false]) {
    it.each(values)(
      `the values of the %s probe, share_encoders ${share_encoders}`,
      (name, rollouts, wanted) => {
        const agent = learnedPPO(name, rollouts, share_encoders);
        expect(worst(outputs(agent.state, "critic", wanted.length), wanted)).toBeLessThan(0.15);
      },
    );
  }

  const policies: [ProbeName, number[]][] = [
    ["fixedPolicy", [1]],
    ["policy", [0, 1]],
    ["shiftedPolicy", [0, 1]],
  ];
  it.each(policies)("the policy and values of the %s probe", (name, best) => {
    const agent = learnedPPO(name, 60, true);
    const probabilities = outputs(agent.state, "actor", best.length).map((logits) => {
      const weights = logits.map((x) => Math.exp(x - Math.max(...logits)));
      return weights.map((w) => w / weights.reduce((a, b) => a + b, 0));
    });
    expect(
      worst(
        probabilities,
        best.map((b) => [1 - b, b]),
      ),
    ).toBeLessThan(0.2);
    expect(
      worst(
        outputs(agent.state, "critic", best.length),
        best.map(() => [1]),
      ),
    ).toBeLessThan(0.2);
    expect(agent.fitness).toEqual([1]);
  });

  const continuous: [ProbeName, number[][]][] = [
    ["fixedPolicyContinuous", [[1]]],
    [
      "policyContinuous",
      [
        [1, 0],
        [0, 1],
      ],
    ],
  ];
  it.each(continuous)("the actions of the %s probe", (name, best) => {
    const agent = learnedPPO(name, 100, false);
    const actions = best.map((_, observation) =>
      Array.from(agent.getAction(observation, { training: false }) as Float32Array),
    );
    expect(worst(actions, best)).toBeLessThan(0.2);
    expect(agent.fitness[0]).toBeGreaterThan(-0.05);
  });
});

describe("masks of an environment", () => {
  it("keep a DQN member to legal actions while it learns the best of them", () => {
    const agent = learnedMaskedMember();
    expect(agent.getAction(0, { action_mask: [1, 1, 1, 0] })).toBe(2);
    expect(agent.getAction(1, { action_mask: [1, 1, 0, 0] })).toBe(1);
  });

  it("keep a PPO member to legal actions while it learns the best of them", () => {
    const agent = learnedPPO("masked", 40, true);
    expect(agent.getAction(0, { action_mask: [1, 1, 1, 0], training: false })).toBe(2);
    expect(agent.getAction(1, { action_mask: [1, 1, 0, 0], training: false })).toBe(1);
  });

  it("keep each of several choices to legal ones", () => {
    const agent = learnedPPO("maskedSeveral", 40, true);
    const greedy = (o: number, action_mask: number[]) => [
      ...(agent.getAction(o, { action_mask, training: false }) as Int32Array),
    ];
    expect(greedy(0, [1, 1, 0, 1, 1])).toEqual([1, 0]);
    expect(greedy(1, [1, 1, 1, 1, 1])).toEqual([2, 1]);
  });

  it("keep bits that may not be 1 at 0", () => {
    const agent = learnedPPO("maskedBits", 40, true);
    const greedy = (o: number) => [
      ...(agent.getAction(o, { action_mask: [1, o, 1], training: false }) as Int32Array),
    ];
    expect([greedy(0), greedy(1)]).toEqual([
      [1, 0, 0],
      [1, 1, 0],
    ]);
  });
});

function learnedMaskedMember(): DQN {
  const env = new SyncVectorEnvironment(Array.from({ length: 4 }, () => () => probe("masked")));
  const agent = new DQN({ ...spacesOf(probe("masked")), net_config, lr: 3e-3, learn_step: 4, seed: 3 });
  agent.state = hostTurn(
    agent.state,
    env,
    { num_envs: 4, evo_steps: 2400 },
    { kind: { ...PLAIN_MEMORY, masked: true } },
  ).agent;
  return agent;
}
