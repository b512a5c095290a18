import { describe, expect, it } from "vitest";
import {
  MultiFrequencySelectionSpec,
  type MultiFrequencySelectionSpecInput,
  MutationSpec,
  parseSpec,
  resolveMultiFrequency,
  SelectionStrategySpec,
} from "../../src/manifests/index.ts";
import { issueOf } from "./issues.ts";

describe("MutationSpec", () => {
  it("has the reference's defaults", () => {
    expect(parseSpec(MutationSpec, {})).toEqual({
      name: null,
      probabilities: {
        no_mut: 0.4,
        arch_mut: 0.2,
        new_layer: 0.2,
        params_mut: 0.2,
        act_mut: 0,
        rl_hp_mut: 0.2,
      },
      rl_hp_selection: {},
      mutate_elite: true,
      mutation_sd: 0.1,
      rand_seed: 42,
      network: null,
      dormant_threshold: 0.01,
    });
  });

  it("fills in single weights and the factors of a range", () => {
    const spec = parseSpec(MutationSpec, {
      probabilities: { no_mut: 0 },
      rl_hp_selection: { lr: { min: 1e-4, max: 1e-2 } },
      network: { min_latent_dim: 8 },
    });
    expect(spec.probabilities).toMatchObject({ no_mut: 0, arch_mut: 0.2 });
    expect(spec.rl_hp_selection.lr).toEqual({
      min: 1e-4,
      max: 1e-2,
      grow_factor: 1.2,
      shrink_factor: 0.8,
      initial: "value",
      scale: "linear",
      choices: null,
    });
    expect(spec.network).toEqual({ min_latent_dim: 8, max_latent_dim: null, encoder: {}, head_net: {} });
  });

  it.each([
    [{ probabilities: { no_mut: 1.1 } }, "probabilities.no_mut", "range"],
    [{ probabilities: { act_mut: -0.1 } }, "probabilities.act_mut", "range"],
    [{ probabilities: { rl_mut: 0.1 } }, "probabilities.rl_mut", "unknown_key"],
    [{ mutation_sd: -1 }, "mutation_sd", "range"],
    [{ rand_seed: -1 }, "rand_seed", "range"],
    [{ dormant_threshold: -1 }, "dormant_threshold", "range"],
    [{ rl_hp_selection: { lr: { min: 1 } } }, "rl_hp_selection.lr.max", "missing"],
    [{ rl_hp_selection: { lr: { min: 2, max: 1 } } }, "rl_hp_selection.lr.min", "rule"],
    [
      { rl_hp_selection: { lr: { min: 0, max: 1, grow_factor: 0.9 } } },
      "rl_hp_selection.lr.grow_factor",
      "range",
    ],
    [
      { rl_hp_selection: { lr: { min: 0, max: 1, shrink_factor: 1.1 } } },
      "rl_hp_selection.lr.shrink_factor",
      "range",
    ],
    [{ network: { min_latent_dim: 0 } }, "network.min_latent_dim", "range"],
    [{ network: { max_latent_dim: 1 } }, "network.max_latent_dim", "range"],
  ])("refuses %o at %s", (input, path, code) => {
    expect(issueOf(MutationSpec, input)).toMatchObject({ path, code });
  });
});

describe("SelectionStrategySpec", () => {
  it("is a tournament of two with elitism when nothing is said", () => {
    const tournament = { strategy: "tournament", name: null, tournament_size: 2, elitism: true };
    expect(parseSpec(SelectionStrategySpec, {})).toEqual(tournament);
  });

  it("takes its kind from strategy", () => {
    const spec = parseSpec(SelectionStrategySpec, { strategy: "multi_frequency" });
    expect(spec).toMatchObject({ strategy: "multi_frequency", n_subpopulations: 2, n_winners: null });
  });

  it.each([
    [{ tournament_size: 0 }, "tournament_size", "range"],
    [{ strategy: "turnament" }, "strategy", "value"],
    [{ strategy: "multi_frequency", tournament_size: 2 }, "tournament_size", "unknown_key"],
    [{ n_subpopulations: 2 }, "n_subpopulations", "unknown_key"],
    [{ strategy: "multi_frequency", n_subpopulations: 1 }, "n_subpopulations", "range"],
    [{ strategy: "multi_frequency", evolution_frequency_ratios: [1] }, "evolution_frequency_ratios", "rule"],
    [
      { strategy: "multi_frequency", evolution_frequency_ratios: [5, 1] },
      "evolution_frequency_ratios",
      "rule",
    ],
    [
      { strategy: "multi_frequency", evolution_frequency_ratios: [0, 1] },
      "evolution_frequency_ratios[0]",
      "range",
    ],
  ])("refuses %o at %s", (input, path, code) => {
    expect(issueOf(SelectionStrategySpec, input)).toMatchObject({ path, code });
  });
});

describe("resolveMultiFrequency", () => {
  const resolve = (input: Partial<MultiFrequencySelectionSpecInput>, pop_size: number) =>
    resolveMultiFrequency(
      parseSpec(MultiFrequencySelectionSpec, { strategy: "multi_frequency", ...input }),
      pop_size,
    );

  it.each([
    [6, 1, 1, 1],
    [8, 1, 1, 2],
    [12, 2, 2, 2],
    [16, 2, 2, 4],
    [20, 2, 2, 6],
  ])("splits %i agents in two", (pop_size, n_winners, n_open_for_migration, n_losers) => {
    expect(resolve({}, pop_size)).toMatchObject({
      layout: {
        n_winners,
        n_survivors: 0,
        n_open_for_migration,
        n_losers,
        evolution_frequency_ratios: [1, 5],
      },
    });
  });

  it("paces more subpopulations by multiples of five, an empty list as none", () => {
    const four = { n_subpopulations: 4, evolution_frequency_ratios: [] };
    expect(resolve(four, 12)).toMatchObject({ layout: { evolution_frequency_ratios: [1, 5, 10, 15] } });
    expect(resolve({ evolution_frequency_ratios: [2, 3] }, 6)).toMatchObject({
      layout: { evolution_frequency_ratios: [2, 3] },
    });
  });

  it.each([
    [{}, 4, null],
    [{}, 7, null],
    [{ n_subpopulations: 3 }, 6, "n_subpopulations"],
    [{ n_winners: 3 }, 8, "n_losers"],
    [{ n_losers: 1 }, 8, "n_losers"],
  ])("refuses %o for %i agents", (input, pop_size, key) => {
    expect(resolve(input, pop_size)).toMatchObject({ problem: { key } });
  });
});
