import { describe, expect, it } from "vitest";
import { createPopulation } from "../../src/agents/classes.ts";
import { type CollectOptions, collectRollouts, PPO } from "../../src/agents/index.ts";
import { NetworkSection } from "../../src/manifests/index.ts";
import { make, makeVector } from "../../src/rl/environments.ts";
import { SyncVectorEnvironment } from "../../src/rl/faces.ts";
import { type OnPolicyOptions, trainOnPolicy } from "../../src/training/index.ts";
import { probe } from "../rl/support/probes.ts";
import { evolution, onPolicy, ppoPopulation } from "./support/functions.ts";
import { EVOLUTION, ppo, statesOf, trained } from "./support/tiny.ts";

describe("trainOnPolicy", () => {
  it("ends with the bits of LocalTrainer", async () => {
    const expected = await trained(ppo(EVOLUTION));
    const pop = ppoPopulation(makeVector("Pendulum-v1", 4), 2, { num_envs: 4 });
    const [population, fitnesses] = await trainOnPolicy(onPolicy({ ...evolution(), pop }));
    expect(statesOf(population)).toEqual(statesOf(expected.population));
    expect(fitnesses).toEqual(expected.fitnesses);
    expect(population[0]).toBeInstanceOf(PPO);
    expect(population[0]?.getAction([1, 0, 0])).toHaveLength(1);
  });

  it("collects with collect_rollouts_fn in place of the default", async () => {
    const calls: CollectOptions[] = [];
    const collect_rollouts_fn: NonNullable<OnPolicyOptions["collect_rollouts_fn"]> = (options) => {
      calls.push(options);
      return collectRollouts(options);
    };
    const env = new SyncVectorEnvironment([() => make("Pendulum-v1"), () => make("Pendulum-v1")]);
    const [expected] = await trainOnPolicy(onPolicy({ env }));
    const [population] = await trainOnPolicy(onPolicy({ env, collect_rollouts_fn }));
    expect(statesOf(population)).toEqual(statesOf(expected));
    // Three generations of two members with two rollouts each.
    expect(calls).toHaveLength(12);
    expect(calls[0]).toMatchObject({ n_steps: 32, env });

    const compiled = makeVector("Pendulum-v1", 4);
    await trainOnPolicy(onPolicy({ env: compiled, collect_rollouts_fn }));
    expect(calls.length).toBe(24);
  });

  it("collects for agents with memory too", async () => {
    const encoder_config = { hidden_state_size: 8, num_layers: 1 };
    const net_config = NetworkSection.parse({ latent_dim: 8, encoder_config });
    const run = async (options: Partial<OnPolicyOptions>) => {
      const env = makeVector("Pendulum-v1", 4);
      const fields = { num_envs: 4, recurrent: true, max_seq_len: 5, batch_size: 6 };
      const pop = createPopulation({
        algorithm: { name: "PPO", learn_step: 64, ...fields },
        population_size: 1,
        net_config,
        observation_space: env.single_observation_space,
        action_space: env.single_action_space,
      }).filter((agent) => agent instanceof PPO);
      const [population] = await trainOnPolicy(onPolicy({ env, pop, max_steps: 128, ...options }));
      return statesOf(population);
    };
    let calls = 0;
    const collected = await run({
      collect_rollouts_fn: (options) => {
        calls++;
        return collectRollouts(options);
      },
    });
    expect(calls).toBe(2);
    expect(collected).toHaveLength(1);
    // First states are drawn in another way, so only runs of one kind have the same bits.
    expect(await run({ collect_rollouts_fn: collectRollouts })).toEqual(collected);
    expect((await run({}))[0]?.steps).toBe(collected[0]?.steps);
  });

  it("refuses a collector that fills less than a rollout", async () => {
    const collect_rollouts_fn: NonNullable<OnPolicyOptions["collect_rollouts_fn"]> = (options) =>
      collectRollouts({ ...options, n_steps: 3 });
    await expect(trainOnPolicy(onPolicy({ collect_rollouts_fn }))).rejects.toThrow(
      "collect_rollouts_fn: filled 3 steps of agent.rollout_buffer, allowed n_steps (16)",
    );
  });

  it("learns in an environment of the caller's own", async () => {
    const env = probe("fixedPolicy");
    const pop = ppoPopulation(env, 2, { lr: 0.01, learn_step: 32, batch_size: 16, update_epochs: 4 });
    const [population, fitnesses] = await trainOnPolicy(
      onPolicy({ env, env_name: "probe", pop, max_steps: 512, evo_steps: 256, eval_steps: null }),
    );
    expect(fitnesses).toEqual([1, 1]);
    expect(population[0]?.getAction(0, { training: false })).toBe(1);
  });
});
