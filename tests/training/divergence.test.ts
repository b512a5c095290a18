import { describe, expect, it } from "vitest";
import {
  HyperparameterConfig,
  Mutations,
  RLParameter,
  TournamentSelection,
} from "../../src/evolution/index.ts";
import { Accelerator, DivergedError } from "../../src/index.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import { dqn, EVOLUTION, NO_MUTATION, ppo, trained } from "./support/tiny.ts";

keepThreads();

/** Half of the first mutations, and few of the later ones, take the learning rate so high that weights overflow. */
const hp_config = new HyperparameterConfig({
  lr: new RLParameter({ min: 0.001, max: 1e30, grow_factor: 1e33, shrink_factor: 1 }),
});
const mutation = new Mutations({
  no_mutation: 9,
  architecture: 0,
  new_layer_prob: 0,
  parameters: 0,
  activation: 0,
  rl_hp: 1,
  rand_seed: 1,
});

describe.each([
  ["DQN", dqn],
  ["PPO", ppo],
] as const)("a %s member whose weights overflow", (_name, options) => {
  it("is told of and replaced by a copy of a better one", async () => {
    const selection_strategy = new TournamentSelection({
      tournament_size: 2,
      elitism: true,
      population_size: 4,
    });
    const run = await trained(
      options({
        mutation,
        hp_config,
        selection_strategy,
        training: { pop_size: 4 },
        store: memoryFileStore(),
      }),
      { save_elite: true, checkpoint_steps: 1 },
    );
    const [first, second] = run.recorder.generations;
    const lost = (first?.members ?? []).filter(({ fitness }) => Number.isNaN(fitness));
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.length).toBeLessThan(4);
    for (const { slot, hyperparameters } of lost) {
      expect(hyperparameters.lr).toBeGreaterThan(1e20);
      expect(run.recorder.warnings).toContain(
        `member ${slot}: a weight of network actor is no longer a finite number; the learning rate is probably too high for this environment. It does not take part in this generation's selection and is replaced by a copy of a better member.`,
      );
    }
    const fit = first?.members.filter(({ fitness }) => Number.isFinite(fitness)).map(({ index }) => index);
    for (const { parent } of second?.members ?? []) expect(fit).toContain(parent);
    expect(run.recorder.checkpoints).toHaveLength(run.state.generation);
  });

  it("ends a run without evolution in plain words, never as a zero", async () => {
    const run = trained(options({ algorithm: { lr: 1e38 } }));
    await expect(run).rejects.toThrow(
      /^member 0: a weight of network actor is no longer a finite number; the learning rate is probably too high for this environment$/,
    );
    await expect(run).rejects.toBeInstanceOf(DivergedError);
    await expect(run).rejects.toMatchObject({ name: "DivergedError", slot: 0 });
  });

  it("ends a run that workers train with the same error", async () => {
    const accelerator = new Accelerator({ workers: 2 });
    const run = trained(options({ accelerator, algorithm: { lr: 1e38 } }));
    await expect(run).rejects.toBeInstanceOf(DivergedError);
    await expect(run).rejects.toMatchObject({
      slot: 0,
      message: expect.stringMatching(/^member 0: a weight/),
    });
  });

  it("ends a run in which all members do", async () => {
    const calm = { ...EVOLUTION, mutation: { probabilities: { ...NO_MUTATION, params_mut: 1, no_mut: 0 } } };
    await expect(trained(options({ ...calm, algorithm: { lr: 1e38 } }))).rejects.toThrow(/^member \d: /);
  });
});
