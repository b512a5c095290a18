import { describe, expect, it } from "vitest";
import {
  Agents,
  agentClasses,
  Box,
  createPopulation,
  Discrete,
  IPPO,
  loadAgent,
  MADDPG,
  MATD3,
  MultiAgentAlgorithm,
  MultiBinary,
  MultiDiscrete,
  make,
  makeVector,
  OffPolicyTeam,
  OnPolicyTeam,
  type RolloutBuffer,
  SingleAgentAlgorithm,
} from "../../../src/index.ts";
import { Scouts } from "../../rl/support/relay.ts";

const net_config = { latent_dim: 8, encoder_config: { hidden_size: [8] }, head_config: { hidden_size: [8] } };
const WORLD = "simple_speaker_listener_v4";

const spaces = {
  observation_space: {
    scout_0: new Box({ low: -1, high: 1, shape: [2] }),
    carrier_0: new Discrete(4),
    pilot_0: new Box({ low: -1, high: 1, shape: [1] }),
  },
  action_space: {
    scout_0: new Discrete(3, { start: 2 }),
    carrier_0: new MultiDiscrete([2, 3]),
    pilot_0: new Box({ low: [-1, 0], high: [1, 4], shape: [2] }),
  },
};
const seen = { scout_0: [0.5, -0.5], carrier_0: 3, pilot_0: [0.25] };

const made = {
  MADDPG: () => new MADDPG({ ...spaces, net_config, batch_size: 4 }),
  MATD3: () => new MATD3({ ...spaces, net_config, batch_size: 4 }),
  IPPO: () => new IPPO({ ...spaces, net_config, learn_step: 8, batch_size: 4 }),
};
const NAMES = ["MADDPG", "MATD3", "IPPO"] as const;

describe.each(NAMES)("an agent of %s", (name) => {
  it("acts for every agent as the environment takes it, also in several environments", () => {
    const agent = made[name]();
    const action_space = new Agents(spaces.action_space);
    for (const training of [true, false]) {
      const actions = agent.getAction(seen, { training });
      expect(Object.keys(actions)).toEqual(["scout_0", "carrier_0", "pilot_0"]);
      for (const [id, action] of Object.entries(actions))
        expect(action_space.spaces[id]?.contains(action)).toBe(true);
      expect(actions.scout_0).toBeTypeOf("number");
      expect(actions.carrier_0).toBeInstanceOf(Int32Array);
      expect(actions.pilot_0).toBeInstanceOf(Float32Array);
    }
    const lanes = {
      scout_0: [...seen.scout_0, 0, 0],
      carrier_0: [3, 1],
      pilot_0: Float32Array.of(0.25, 0.75),
    };
    const options = { num_envs: 2, training: false } as const;
    const two = agent.getAction(lanes, options);
    expect(Object.values(two).map((own) => (own as Float32Array).length)).toEqual([2, 4, 4]);
    const one = agent.getAction(seen, { training: false });
    expect((two.scout_0 as Int32Array)[0]).toBe(one.scout_0);
    expect((two.pilot_0 as Float32Array).slice(0, 2)).toEqual(one.pilot_0);
    // Lanes use joint rows.
    const rows = agent.getAction([0.5, -0.5, 3, 0.25, 0, 0, 1, 0.75], options);
    expect(Array.from(rows).slice(0, 3)).toEqual([one.scout_0, ...(one.carrier_0 as Int32Array)]);
    expect(rows.length).toBe(10);
  });

  it("acts for those that are left", () => {
    const { carrier_0 } = seen;
    expect(Object.keys(made[name]().getAction({ carrier_0 }))).toEqual(["carrier_0"]);
  });

  it("sets bits, of which masks forbid some", () => {
    const observation_space = { scout_0: new Discrete(4), pilot_0: new Discrete(4) };
    const action_space = { scout_0: new MultiBinary(3), pilot_0: new Discrete(2) };
    const agent = new agentClasses[name]({ observation_space, action_space, net_config });
    const options = { training: true, action_mask: { scout_0: [1, 0, 1] } };
    const drawn = Array.from({ length: 24 }, (_x, i) => {
      const { scout_0 } = agent.getAction({ scout_0: i % 4, pilot_0: 0 }, options);
      return Array.from(scout_0 as Int32Array);
    });
    expect(new Set(drawn.map(([first, middle]) => `${first} ${middle}`))).toEqual(new Set(["0 0", "1 0"]));
    expect(agent.getAction({ scout_0: 1, pilot_0: 0 }, { training: false }).scout_0).toHaveLength(3);
  });

  it("keeps to what is legal, by masks or by infos", () => {
    const agent = made[name]();
    for (const training of [true, false]) {
      for (let i = 0; i < 8; i++) {
        const action_mask = { scout_0: [0, 0, 1], carrier_0: [1, 0, 0, 1, 0] };
        const masked = agent.getAction(seen, { action_mask, training });
        expect([masked.scout_0, Array.from(masked.carrier_0 as Int32Array)]).toEqual([4, [0, 1]]);
        const infos = { scout_0: { action_mask: [1, 0, 0] }, carrier_0: {}, pilot_0: {} };
        expect(agent.getAction(seen, { infos, training }).scout_0).toBe(2);
      }
    }
    const lanes = { scout_0: [0, 0, 0, 0], carrier_0: [0, 0], pilot_0: [0, 0] };
    const infos = [{ scout_0: { action_mask: [0, 1, 0] } }, { scout_0: { action_mask: [0, 0, 1] } }];
    expect(agent.getAction(lanes, { num_envs: 2, infos }).scout_0).toEqual(Int32Array.of(3, 4));
  });

  it("refuses what does not fit with the agent and the place", () => {
    const agent = made[name]();
    const act =
      (change: object, options: object = {}) =>
      () =>
        agent.getAction({ ...seen, ...change }, options);
    expect(act({ ghost: 1 })).toThrow(
      "getAction observations.ghost: found no such agent, allowed scout_0, carrier_0, pilot_0",
    );
    expect(act({ scout_0: [1] })).toThrow("getAction observations.scout_0: found 1 numbers, allowed 2");
    expect(act({ scout_0: "x" })).toThrow('getAction observations.scout_0: found "x"');
    expect(act({ scout_0: [0, Number.NaN] })).toThrow("getAction observation.scout_0[1]: found NaN");
    expect(act({ carrier_0: 7 })).toThrow("getAction observation.carrier_0: found 7");
    expect(() => agent.getAction({})).toThrow("getAction observations: found none");
    expect(act({}, { action_mask: { scout_0: [1, 1] } })).toThrow(
      "getAction action_mask.scout_0: found 2 numbers, allowed 3",
    );
    expect(act({}, { action_mask: { pilot_0: [1] } })).toThrow(
      "getAction action_mask.pilot_0: found no such agent, allowed scout_0, carrier_0",
    );
    expect(act({}, { action_mask: { carrier_0: [1, 1, 0, 2, 1] } })).toThrow("action_mask.carrier_0[3]");
    expect(act({}, { action_mask: { scout_0: [0, 0, 0] } })).toThrow("agent scout_0");
    expect(act({}, { action_mask: {}, infos: {} })).toThrow("give one of them");
    expect(act({}, { infos: [{}, {}] })).toThrow("infos: found 2, allowed one for each of 1 environments");
  });

  it("is tested where it plays, with the scores of its agents", () => {
    const env = make(WORLD);
    const agent = createPopulation({
      algorithm: name,
      observation_space: env.observation_spaces,
      action_space: env.action_spaces,
      population_size: 1,
      net_config,
    })[0] as MultiAgentAlgorithm;
    expect(agent.agent_fitness).toBeNull();
    const options = { seed: 3, max_steps: 10 };
    const sum = agent.test(WORLD, options);
    const scores = Object.values(agent.agent_fitness ?? {});
    expect(Object.keys(agent.agent_fitness ?? {})).toEqual(["speaker_0", "listener_0"]);
    expect(scores.reduce((a, b) => a + b, 0)).toBe(sum);
    expect(agent.test(WORLD, { ...options, sum_scores: false })).toBe(sum / 2);
    for (const place of [env, makeVector(WORLD, 2)]) expect(agent.test(place, options)).toBeLessThan(0);
    expect(agent.fitness.length).toBe(4);
    expect(() => agent.test("CartPole-v1")).toThrow("environment.observation_space");
    expect(() => made[name]().test(new Scouts())).toThrow("environment.observation_space: found");
  });

  it("is copied, and has its own class", () => {
    const agent = made[name]();
    const copy = agent.clone(5);
    expect([copy.index, copy.parent]).toEqual([5, 0]);
    expect(copy).toBeInstanceOf(agentClasses[name]);
    expect(copy).toBeInstanceOf(MultiAgentAlgorithm);
    expect(copy).not.toBeInstanceOf(SingleAgentAlgorithm);
    expect(copy).toBeInstanceOf(name === "IPPO" ? OnPolicyTeam : OffPolicyTeam);
    expect(copy.getAction(seen, { training: false })).toEqual(agent.getAction(seen, { training: false }));
    expect(agentClasses[name].name).toBe(name);
    expect(agent.agent_ids).toEqual(["scout_0", "carrier_0", "pilot_0"]);
  });
});

describe("spaces of several agents", () => {
  it("are taken as Agents, or by id", () => {
    const options = { net_config, batch_size: 4 };
    const joint = {
      observation_space: new Agents(spaces.observation_space),
      action_space: new Agents(spaces.action_space),
    };
    expect(new MADDPG({ ...joint, ...options }).state).toEqual(new MADDPG({ ...spaces, ...options }).state);
  });

  it("are of the same agents", () => {
    const { scout_0, carrier_0 } = spaces.action_space;
    expect(() => new MADDPG({ ...spaces, action_space: { scout_0, carrier_0 } })).toThrow(
      /action_space.*scout_0, carrier_0.*scout_0, carrier_0, pilot_0/,
    );
    const one = { observation_space: new MultiBinary(2), action_space: new Discrete(2) };
    expect(() => new MADDPG(one)).toThrow(/Agents|several agents/);
    // @ts-expect-error: not a space.
    expect(() => new IPPO({ ...spaces, action_space: { scout_0: 3 } })).toThrow("IPPO: action_space: found");
  });
});

describe("learning of agents that the caller plays", () => {
  const play = (agent: IPPO, buffer: RolloutBuffer, env = makeVector(WORLD, 2)) => {
    let { observation } = env.reset({ seed: 1 });
    while (!buffer.isFull) {
      const { action, applied, log_prob } = agent.sampleAction(observation, { num_envs: 2 });
      const next = env.step(applied);
      const { reward, terminated, truncated: done, final_observation: next_obs } = next;
      buffer.add({ obs: observation, next_obs, action, log_prob, reward, terminated, done });
      observation = next.observation;
    }
  };

  it("is from rollouts of joint rows, in which everybody is there unless they say", () => {
    const env = make(WORLD);
    const world = { observation_space: env.observation_spaces, action_space: env.action_spaces };
    const fields = { ...world, net_config, learn_step: 16, batch_size: 8, lr: 0.01 };
    const agent = new IPPO(fields);
    const buffer = agent.makeBuffer(2);
    play(agent, buffer);
    const { present, reward } = buffer.rollout();
    expect([present?.length, reward.length]).toEqual([32, 32]);
    const other = agent.clone();
    const metrics = agent.learn(buffer);
    expect(metrics).toMatchObject({
      policy_loss: expect.any(Number),
      "value_loss/listener_0": expect.any(Number),
    });
    const { present: _left, ...everybody } = buffer.rollout();
    other.learn(everybody);
    expect(other.state.networks).toEqual(agent.state.networks);
    const rollout = buffer.rollout();
    const spoilt = (field: "reward" | "terminated" | "present", value: number) => () =>
      agent.learn({ ...rollout, [field]: Array.from(rollout[field] ?? []).with(5, value) });
    expect(spoilt("reward", Number.NaN)).toThrow("rollout.reward.listener_0 of step 1, lane 0: found NaN");
    expect(spoilt("terminated", 3)).toThrow("rollout.terminated.listener_0 of step 1, lane 0: found 3");
    expect(spoilt("present", 0.5)).toThrow("rollout.present.listener_0 of step 1, lane 0: found 0.5");
    expect(() => agent.learn({ ...rollout, reward: Array.from(rollout.reward).slice(1) })).toThrow(
      "learn: found",
    );
  });

  it("is from transitions by agent, where masks count", () => {
    const action = { scout_0: 3, carrier_0: [1, 2], pilot_0: [0, 0.5] };
    const transition = {
      obs: seen,
      action,
      reward: { scout_0: 1, carrier_0: 0.5, pilot_0: 0 },
      next_obs: { ...seen, carrier_0: 2 },
      done: { scout_0: true, carrier_0: 0, pilot_0: 2 },
    };
    const learnt = (change: object) => {
      const agent = made.MADDPG();
      agent.learn({ ...transition, ...change });
      return agent.state.networks;
    };
    const all = learnt({});
    expect(learnt({ action_mask: { scout_0: [1, 1, 1] } })).toEqual(all);
    expect(learnt({ next_action_mask: { carrier_0: [0, 1, 1, 0, 0] } })).not.toEqual(all);
    expect(() => learnt({ action: { ...action, scout_0: 7 } })).toThrow("experiences.action.scout_0");
    expect(() => learnt({ reward: { scout_0: 1, carrier_0: Number.NaN, pilot_0: 0 } })).toThrow(
      "experiences.reward.carrier_0: transition 0: found NaN",
    );
    expect(() => learnt({ obs: { scout_0: [0, 0], pilot_0: [0] } })).toThrow(
      "experiences.obs.carrier_0: found nothing, allowed a value for each agent: scout_0, carrier_0, pilot_0",
    );
  });
});

it("agents that play several are saved and loaded", async () => {
  const { mkdtemp, rm } = await import("node:fs/promises");
  const dir = await mkdtemp("/tmp/rlkit-team-");
  try {
    for (const name of NAMES) {
      const agent = made[name]();
      await agent.save(`${dir}/${name}`);
      const loaded = await agentClasses[name].load(`${dir}/${name}`);
      expect(loaded.state).toEqual(agent.state);
      expect(await loadAgent(`${dir}/${name}`)).toBeInstanceOf(agentClasses[name]);
      expect(loaded.getAction(seen, { training: false })).toEqual(agent.getAction(seen, { training: false }));
    }
    await expect(MATD3.load(`${dir}/IPPO`)).rejects.toThrow("found a IPPO agent, allowed MATD3");
  } finally {
    await rm(dir, { recursive: true });
  }
});
