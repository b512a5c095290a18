/** The types of agents follow from the definitions of their algorithms. */
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  createPopulation,
  DQN,
  type IPPO,
  type SupportedAgent,
  type TD3,
} from "../../../../src/agents/classes.ts";
import {
  type ActorCriticLosses,
  type AgentAction,
  type AgentNamed,
  agentClasses,
  type DDPG,
  type MADDPG,
  PPO,
  type RainbowDQN,
} from "../../../../src/agents/index.ts";
import { ALGORITHMS } from "../../../../src/rl/definitions.ts";
import { Box, Discrete } from "../../../../src/rl/spaces.ts";

const observation_space = new Box({ low: -1, high: 1, shape: [3] });
const choices = { observation_space, action_space: new Discrete(2) };
const numbers = { ...choices, action_space: new Box({ low: -1, high: 1, shape: [2] }) };
const one = { population_size: 1 };
const net_config = { latent_dim: 8, encoder_config: { hidden_size: [8] } };

describe("populations", () => {
  it("have the class of the algorithm that is named", () => {
    const named = createPopulation({ algorithm: "DQN", ...choices, net_config, ...one });
    expectTypeOf(named).toEqualTypeOf<DQN[]>();
    expect(named[0]).toBeInstanceOf(DQN);
    const described = createPopulation({
      algorithm: { name: "TD3", lr_actor: 1e-3 },
      ...numbers,
      net_config,
      ...one,
    });
    expectTypeOf(described).toEqualTypeOf<TD3[]>();
    const derived = createPopulation({ algorithm: "SAC", ...numbers, net_config, ...one });
    expectTypeOf(derived).toEqualTypeOf<AgentNamed<"SAC">[]>();
    expect(derived[0]).toBeInstanceOf(agentClasses.SAC);
    const name: string = "PPO";
    const general = createPopulation({ algorithm: name, ...choices, net_config, ...one });
    expectTypeOf(general).toEqualTypeOf<SupportedAgent[]>();
    expect(general[0]).toBeInstanceOf(PPO);
  });
});

describe("agents that play several", () => {
  const world = {
    observation_space: { left: numbers.observation_space, right: numbers.observation_space },
    action_space: { left: choices.action_space, right: numbers.action_space },
  };

  it("have types of their own", () => {
    const [maddpg] = createPopulation({ algorithm: "MADDPG", ...world, net_config, ...one });
    const [ippo] = createPopulation({ algorithm: "IPPO", ...world, net_config, ...one });
    expectTypeOf(maddpg).toEqualTypeOf<MADDPG | undefined>();
    expectTypeOf(ippo).toEqualTypeOf<IPPO | undefined>();
    expectTypeOf<ReturnType<MADDPG["learn"]>>().toEqualTypeOf<Readonly<Record<string, number>>>();
    const actions = maddpg?.getAction({ left: [0, 0, 0], right: [0, 0, 0] });
    expectTypeOf(actions).toEqualTypeOf<Record<string, AgentAction> | undefined>();
    expectTypeOf(maddpg?.clone(1)).toEqualTypeOf<MADDPG | undefined>();
    expect(Object.keys(actions ?? {})).toEqual(["left", "right"]);
  });
});

describe("classes", () => {
  it("bear the names of their algorithms, and clone their own kind", () => {
    for (const { name } of ALGORITHMS) expect(agentClasses[name].name).toBe(name);
    const agent = new DQN(choices);
    expectTypeOf(agent.clone(1).algo).toEqualTypeOf<"DQN">();
    expect(agent.clone(1)).toBeInstanceOf(DQN);
  });

  it("act and learn as their definitions say", () => {
    expectTypeOf<ReturnType<DQN["learn"]>>().toEqualTypeOf<number>();
    expectTypeOf<ReturnType<RainbowDQN["learn"]>>().toExtend<{ loss: number; priorities: Float32Array }>();
    expectTypeOf<ReturnType<DDPG["learn"]>>().toEqualTypeOf<ActorCriticLosses>();
    expectTypeOf<Parameters<DQN["learn"]>["length"]>().toEqualTypeOf<1>();
    const action = new DQN(choices).getAction([0, 0, 0], { epsilon: 0.5 });
    expectTypeOf(action).toEqualTypeOf<number>();
    expect([0, 1]).toContain(action);
    const several = new agentClasses.SAC(numbers).getAction([0, 0, 0, 1, 1, 1], { num_envs: 2 });
    expectTypeOf(several).toEqualTypeOf<Float32Array>();
    expect(several).toHaveLength(4);
  });

  it("tell agents of one algorithm from those of others", () => {
    const kindOf = (agent: SupportedAgent) => {
      if (agent instanceof PPO) return expectTypeOf(agent).toEqualTypeOf<PPO>();
      if (agent instanceof DQN) return expectTypeOf(agent).toEqualTypeOf<DQN>();
      return expectTypeOf(agent).toEqualTypeOf<Exclude<SupportedAgent, PPO | DQN>>();
    };
    expect(() => kindOf(new DQN(choices))).not.toThrow();
  });
});
