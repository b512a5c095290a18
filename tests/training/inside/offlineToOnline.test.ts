/** Runs that go on from agents which learned from data. */
import { beforeAll, describe, expect, it } from "vitest";
import { agentFromState } from "../../../src/agents/classes.ts";
import type { AgentState } from "../../../src/agents/members.ts";
import { Random } from "../../../src/evolution/index.ts";
import { findCompiledEnvironment } from "../../../src/rl/environments.ts";
import type { FileStore } from "../../../src/storage/index.ts";
import type { TrainerOptions } from "../../../src/training/index.ts";
import { dqn, NETWORK, ppo, sac, td3, trained } from "../support/tiny.ts";
import { dataStore, fromData } from "../support/tinyData.ts";

const LEARNERS = {
  BC: { loss: "nll" },
  TD3BC: { policy_freq: 1 },
  IQL: {},
  AWAC: {},
  CQL: { num_actions: 2 },
} as const;
type Learner = keyof typeof LEARNERS;

let store: FileStore;
beforeAll(async () => {
  store = await dataStore();
  const fields = { normalize: { observations: true } };
  for (const [name, own] of Object.entries(LEARNERS))
    await trained(fromData({ name, ...own }, { store, fields, training: { max_steps: 60 } }), {
      save_elite: true,
      elite_path: name,
    });
  await trained(fromData({ name: "IQL" }, { store, isChoice: true, training: { max_steps: 60 } }), {
    save_elite: true,
    elite_path: "choices",
  });
  await trained(fromData({ name: "CQN" }, { store, isChoice: true, training: { max_steps: 60 } }), {
    save_elite: true,
    elite_path: "values",
  });
});

/** Greedy actions in Pendulum or CartPole. */
function actionsOf(state: AgentState, name = "Pendulum-v1"): number[] {
  const { observation_space, action_space } = findCompiledEnvironment(name);
  const agent = agentFromState(state, { observation_space, action_space, hp_config: null });
  const random = new Random({ seed: 1 });
  const size = observation_space.shape[0] ?? 1;
  const rows = Float32Array.from({ length: 8 * size }, () => 2 * random.uniform() - 1);
  return Array.from(
    agent.getAction(rows, { training: false, num_envs: 8 } as never) as ArrayLike<number>,
    Number,
  );
}

const squashed = { ...NETWORK, squash_output: true };
const RUNS: Readonly<Record<string, (more: object) => TrainerOptions>> = {
  TD3: (more) => td3(more),
  SAC: (more) => sac(more),
  PPO: (more) => ppo({ network: squashed, ...more }),
};

/** The elite of a learner, and a member that starts with it, before it learns. */
async function started(run: (more: object) => TrainerOptions, elite: string) {
  const starts: AgentState[] = [];
  const { recorder } = await trained(run({ store, load_weights_from: `${elite}.safetensors` }), {
    onRun: ({ state }) => void starts.push(...state.members),
  });
  const { loadElite } = await import("../../../src/training/index.ts");
  return { held: await loadElite(store, `${elite}.safetensors`), member: starts[0] as AgentState, recorder };
}

describe.each(Object.keys(LEARNERS) as Learner[])("from %s", (name) => {
  it.each(Object.keys(RUNS))("%s acts greedily as it did, and learns on", async (algorithm) => {
    const { held, member, recorder } = await started(RUNS[algorithm] as never, name);
    expect(member.algorithm).toBe(algorithm);
    expect(member.normalization?.observations).toEqual(held.normalization?.observations);
    const [own, known] = [actionsOf(member), actionsOf(held)];
    own.forEach((action, i) => expect(action).toBeCloseTo(known[i] as number, 5));
    expect(new Set(known.map((x) => x.toFixed(4))).size).toBeGreaterThan(4);
    const critics = name === "BC" || algorithm === "PPO" ? [] : ["critic_1", "critic_target_2"];
    for (const critic of critics) expect(member.networks[critic]).toEqual(held.networks[critic]);
    expect(recorder.generations.length).toBeGreaterThan(0);
  });
});

describe("a manifest that names the agent", () => {
  it("starts as the option does", async () => {
    const firsts: AgentState[][] = [];
    const watching = {
      onRun: ({ state }: { readonly state: { readonly members: readonly AgentState[] } }) =>
        void firsts.push([...state.members]),
    };
    await trained(td3({ store, load_weights_from: "TD3BC.safetensors" }), watching);
    await trained(td3({ store, training: { load_weights_from: "TD3BC.safetensors" } }), watching);
    // An option says it for one run, whatever the manifest names.
    const both = {
      store,
      training: { load_weights_from: "BC.safetensors" },
      load_weights_from: "TD3BC.safetensors",
    };
    await trained(td3(both), watching);
    const [option, field, first] = firsts;
    expect(field).toEqual(option);
    expect(first).toEqual(option);
  });
});

describe("from choices", () => {
  const choosing = (more: object) =>
    ppo({ environment: { env_type: "gym", name: "CartPole-v1", num_envs: 4 }, ...more } as never);

  it("PPO goes on", async () => {
    const { held, member } = await started(choosing, "choices");
    expect(actionsOf(member, "CartPole-v1")).toEqual(actionsOf(held, "CartPole-v1"));
  });

  it("DQN goes on from CQN, with both of its networks", async () => {
    const start = (more: object) => dqn(more);
    const { held, member } = await started(start as never, "values");
    expect(actionsOf(member, "CartPole-v1")).toEqual(actionsOf(held, "CartPole-v1"));
    expect(member.networks).toEqual(held.networks);
    await expect(trained(choosing({ store, load_weights_from: "values.safetensors" }))).rejects.toThrow(
      "holds a CQN agent, whose policy PPO cannot act with",
    );
  });

  it("DQN cannot from others, nor PPO from numbers without limits", async () => {
    await expect(trained(dqn({ store, load_weights_from: "choices.safetensors" }))).rejects.toThrow(
      "choices.safetensors: holds a IQL agent, whose policy DQN cannot act with",
    );
    await expect(trained(ppo({ store, load_weights_from: "IQL.safetensors" }))).rejects.toThrow(
      "set network.squash_output to true",
    );
  });
});
