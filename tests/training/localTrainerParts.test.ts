import { describe, expect, it } from "vitest";
import { ReplayBuffer } from "../../src/agents/classes.ts";
import {
  HyperparameterConfig,
  Mutations,
  RLParameter,
  TournamentSelection,
} from "../../src/evolution/index.ts";
import { MutationSpec, TournamentSelectionSpec } from "../../src/manifests/index.ts";
import { EvolvableMLP } from "../../src/rl/networks.ts";
import { LocalTrainer } from "../../src/training/index.ts";
import { refusal } from "./support/refusal.ts";
import { dqn, EVOLUTION, NETWORK, NO_MUTATION, ppo, statesOf, trained } from "./support/tiny.ts";

describe("training, evolution and memory", () => {
  it("evolve with ready objects as with their specs", async () => {
    const training = { pop_size: 3 };
    const mutation = MutationSpec.parse(EVOLUTION.mutation);
    const selection_strategy = TournamentSelectionSpec.parse(EVOLUTION.selection_strategy);
    const expected = await trained(dqn({ mutation, selection_strategy, training }));
    const ready = await trained(
      dqn({
        training,
        mutation: Mutations.fromSpec(mutation),
        selection_strategy: TournamentSelection.fromSpec(selection_strategy, { population_size: 3 }),
        replay_buffer: new ReplayBuffer({ max_size: 400 }),
      }),
    );
    expect(statesOf(ready.population)).toEqual(statesOf(expected.population));
    expect(ready.recorder.warnings).toEqual(expected.recorder.warnings);
  });

  it("take the seed of a ready Mutations object", async () => {
    const ready = (rand_seed: number) =>
      Mutations.fromSpec(MutationSpec.parse(EVOLUTION.mutation), { rand_seed });
    const expected = await trained(dqn({ ...EVOLUTION, seed: 5 }));
    const run = await trained(
      dqn({
        mutation: ready(5),
        selection_strategy: new TournamentSelection({
          tournament_size: 2,
          elitism: true,
          population_size: 2,
          rand_seed: 5,
        }),
      }),
    );
    expect(statesOf(run.population)).toEqual(statesOf(expected.population));
  });

  it("refuse a selection object for another population", async () => {
    const selection_strategy = new TournamentSelection({
      tournament_size: 2,
      elitism: true,
      population_size: 4,
    });
    await expect(trained(dqn({ ...EVOLUTION, selection_strategy }))).rejects.toThrow(
      "selection_strategy.population_size: found 4, allowed 2 (the population's size)",
    );
  });

  it("fill the caller's replay buffer", async () => {
    const replay_buffer = new ReplayBuffer({ max_size: 400 });
    const run = await trained(dqn({ replay_buffer, training: { max_steps: 160 } }));
    expect(replay_buffer.size).toBe(320);
    expect(replay_buffer.rings).toEqual(run.state.replay?.rings);
    const { obs, reward } = replay_buffer.sample(64, { seed: 1 });
    expect([obs.length, Math.max(...reward)]).toEqual([256, 1]);
  });

  it("are default ones with hpo, in a population of 4", async () => {
    const { manifest } = new LocalTrainer(dqn({ hpo: true, training: { pop_size: undefined } }));
    expect(manifest.training).toMatchObject({ hpo: true, pop_size: 4 });
    const run = await trained(dqn({ hpo: true, training: { pop_size: undefined, max_steps: 320 } }));
    expect(run.fitnesses).toHaveLength(4);
    // A mutation before the first generation, and a selection before the second.
    expect(run.recorder.generations[0]?.members.some(({ mutation }) => mutation !== "None")).toBe(true);
    expect(run.population.slice(1).every(({ index }) => index >= 4)).toBe(true);
    const off = new LocalTrainer(dqn({ hpo: false, training: { hpo: true } }));
    expect(off.manifest.training.hpo).toBe(false);
  });

  it("keep a population of 1 with hpo, and warn", async () => {
    const run = await trained(dqn({ hpo: true, training: { pop_size: 1 } }));
    expect(run.fitnesses).toHaveLength(1);
    expect(run.recorder.warnings).toContain("training.pop_size is 1: there is nothing to select from");
  });

  it("mutate by default when the mutation spec is empty", async () => {
    const { manifest } = new LocalTrainer(dqn({ mutation: {} }));
    expect(manifest.mutation?.probabilities).toMatchObject({ no_mut: 0.4, arch_mut: 0.2, rl_hp_mut: 0.2 });
  });
});

describe("hyperparameters that mutate", () => {
  /** Names that mutated in any generation. */
  async function mutated(options: object): Promise<Set<string>> {
    const run = await trained(
      dqn({
        ...EVOLUTION,
        training: { pop_size: 6, max_steps: 96, evo_steps: 16, eval_steps: 5 },
        ...options,
      }),
    );
    const labels = run.recorder.generations.flatMap(({ members }) => members.map(({ mutation }) => mutation));
    // "None" where a value was at its bound.
    return new Set(labels.filter((label) => label !== "None"));
  }
  const probabilities = { ...NO_MUTATION, no_mut: 0, rl_hp_mut: 1 };
  const rl_hp_selection = { gamma: { min: 0.5, max: 0.999 } };
  const hp_config = new HyperparameterConfig({ tau: new RLParameter({ min: 0.0001, max: 0.1 }) });

  it("are those of hp_config, else of rl_hp_selection, else the algorithm's own", async () => {
    expect(await mutated({ mutation: { probabilities, rl_hp_selection }, hp_config })).toEqual(
      new Set(["tau"]),
    );
    expect(await mutated({ mutation: { probabilities, rl_hp_selection } })).toEqual(new Set(["gamma"]));
    expect(await mutated({ mutation: { probabilities } })).toEqual(
      new Set(["lr", "batch_size", "learn_step"]),
    );
  });

  it("start from hp_config's own values where it gives them", () => {
    const lr = new RLParameter({ min: 0.0001, max: 0.1, value: 0.05 });
    const { manifest } = new LocalTrainer(dqn({ hp_config: new HyperparameterConfig({ lr }) }));
    expect(manifest.algorithm).toMatchObject({ lr: 0.05, batch_size: 8 });
    const wrong = new RLParameter({ min: 0, max: 4, value: -1 });
    expect(refusal(dqn({ hp_config: new HyperparameterConfig({ lr: wrong }) }))).toThrow(
      /algorithm\.lr: found -1/,
    );
  });

  it("must be numbers of the algorithm", () => {
    const of = (name: string) => new HyperparameterConfig({ [name]: new RLParameter({ min: 0, max: 1 }) });
    expect(refusal(dqn({ hp_config: of("clip_coef") }))).toThrow(
      /unknown hyperparameter "clip_coef"; allowed: /,
    );
    expect(refusal(dqn({ hp_config: of("double") }))).toThrow(/hyperparameter "double": found boolean/);
    expect(refusal({ ...dqn(), hp_config: { lr: { min: 0, max: 1 } } })).toThrow(
      "LocalTrainer: hp_config: found a mapping, allowed a HyperparameterConfig",
    );
    expect(refusal(dqn({ mutation: { rl_hp_selection: { lrr: { min: 0, max: 1 } } } }))).toThrow(
      /mutation\.rl_hp_selection\.lrr: "lrr" is not a field of DQN; did you mean "lr"\?/,
    );
  });

  it("keep to the bounds of the algorithm's fields, as those of rl_hp_selection do", () => {
    const range = { min: 0, max: 8 };
    const learn_step = new RLParameter(range);
    const words = "learn_step.min: found 0; learn_step must be at least 1";
    expect(refusal(dqn({ hp_config: new HyperparameterConfig({ learn_step }) }))).toThrow(
      `hp_config.${words}`,
    );
    expect(refusal(dqn({ mutation: { rl_hp_selection: { learn_step: range } } }))).toThrow(
      `mutation.rl_hp_selection.${words}`,
    );
  });
});

describe("networks of the caller's own", () => {
  const actor = new EvolvableMLP({
    num_inputs: 4,
    num_outputs: 2,
    hidden_size: [12],
    min_mlp_nodes: 4,
    random_seed: 1,
  });

  it("are every member's first ones", async () => {
    const seen = await trained(dqn({ actor_network: actor }), { onRun: (run) => run.stop() });
    for (const { networks } of statesOf(seen.population)) {
      expect(networks.actor?.data.encoder).toBeNull();
      expect(networks.actor?.data.head).toMatchObject({ hidden_size: [12] });
      expect(Object.values(networks.actor?.tensors ?? {})).toEqual(Object.values(actor.parameters()));
    }
    const run = await trained(dqn({ ...EVOLUTION, actor_network: actor }));
    expect(run.reason).toBe("max_steps");
  });

  it("may be a critic's too", async () => {
    const critic = new EvolvableMLP({ num_inputs: 3, num_outputs: 1, hidden_size: [10], min_mlp_nodes: 4 });
    const run = await trained(ppo({ critic_network: critic, training: { max_steps: 128 } }));
    expect(run.population[0]?.state.networks.critic?.data).toMatchObject({
      encoder: null,
      head: { hidden_size: [10] },
    });
  });

  it("go with the network section's squash_output", async () => {
    const actor_network = new EvolvableMLP({ num_inputs: 3, num_outputs: 1, hidden_size: [32] });
    const squashed = ppo({ actor_network, network: { ...NETWORK, squash_output: true } });
    const { population } = await trained(squashed, { onRun: (run) => run.stop() });
    expect(population[0]?.state.networks.actor?.data.distribution).toMatchObject({ squash_output: true });
  });

  it("must fit the environment and the algorithm", () => {
    const small = new EvolvableMLP({ num_inputs: 3, num_outputs: 2, hidden_size: [32] });
    expect(refusal(dqn({ actor_network: small }))).toThrow(/^actor_network: /);
    expect(refusal(dqn({ critic_network: small }))).toThrow(
      "critic_network: DQN has no such critic; leave it out",
    );
    expect(refusal({ ...dqn(), actor_network: NETWORK })).toThrow(
      "LocalTrainer: actor_network: found a mapping, allowed an EvolvableModule",
    );
    for (const name of ["actor_networks", "critic_networks"])
      expect(refusal({ ...dqn(), [name]: { agent_0: actor } })).toThrow(
        /^(actor|critic)_networks: found networks by agent, and DQN trains one; give actor_network/,
      );
  });
});
