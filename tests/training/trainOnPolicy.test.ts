import { describe, expect, it } from "vitest";
import { PPO } from "../../src/rl/agents/index.ts";
import { make, makeVector, SyncVectorEnvironment } from "../../src/rl/environments/index.ts";
import { type CollectOptions, collectRollouts } from "../../src/rl/runtime/hostRollout.ts";
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
    // Three generations of two members with two roll-outs each.
    expect(calls).toHaveLength(12);
    expect(calls[0]).toMatchObject({ n_steps: 32, env });

    const compiled = makeVector("Pendulum-v1", 4);
    await trainOnPolicy(onPolicy({ env: compiled, collect_rollouts_fn }));
    expect(calls.length).toBe(24);
  });

  it("refuses a collector that fills less than a roll-out", async () => {
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
