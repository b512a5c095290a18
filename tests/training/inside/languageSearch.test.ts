/** Searches and final evaluations of language models. */
// @apart: its programs and devices fill much memory.
import { describe, expect, it } from "vitest";
import { rollouts, rows, trained } from "../support/languageRuns.ts";

describe("a search of language models", () => {
  const search = {
    selection_strategy: {
      strategy: "halving",
      rung: 1,
      smallest: 2,
      followed_by: "truncation",
      quantile: 0.5,
    },
    mutation: {
      rl_hp_selection: {
        lr: { min: 1e-5, max: 1e-2 },
        beta: { min: 1e-4, max: 0.1 },
        group_size: { choices: [2, 4, 8] },
      },
    },
  };
  const searching = (training: object = {}) => ({
    ...rollouts({ beta: 0.001 }, { hpo: "search", pop_size: 4, max_steps: 800, evo_steps: 2, ...training }),
    ...search,
  });

  it("draws rates, penalties and groups, races, and delivers a champion of a final evaluation", async () => {
    const { generations, events, champion: delivered } = await trained(searching());
    const first = generations[0]?.members ?? [];
    expect(first[0]?.hyperparameters).toMatchObject({ lr: 0.002, beta: 0.001, group_size: 4 });
    for (const name of ["lr", "beta"])
      expect(new Set(first.map(({ hyperparameters }) => hyperparameters[name])).size).toBe(4);
    for (const { steps, hyperparameters } of first) expect(steps).toBe(8 * (hyperparameters.group_size ?? 0));
    // The cut comes after the first round of selection.
    const active = generations.map(
      ({ members }) => members.filter(({ learn_steps }) => learn_steps > 0).length,
    );
    expect(active).toEqual(active.map((_count, i) => (i < 2 ? 4 : 2)));
    const moved = generations.flatMap(({ lineage }) =>
      lineage.filter((event) => event.mutation === "explore"),
    );
    expect(moved.length).toBeGreaterThan(0);
    const [champion] = events.filter((event) => event.event === "champion");
    expect(champion).toMatchObject({ episodes: 30 });
    expect(champion?.fitness).toBeGreaterThan(0.8);
    expect(delivered).toMatchObject({ index: champion?.index });
  });

  it("ends with the same bits in two workers, and when resumed before its end", async () => {
    const whole = await trained(searching());
    const two = await trained(searching(), { workers: 2 });
    const champions = ({ events }: typeof whole) => events.filter((event) => event.event === "champion");
    expect(two.population).toEqual(whole.population);
    expect(champions(two)).toEqual(champions(whole));
    const { store } = await trained(searching({ max_steps: 500, final_episodes: 0 }));
    const [from = ""] = (await store.list(""))
      .map(({ name }) => name)
      .toSorted((a, b) => Number(b.slice(4)) - Number(a.slice(4)));
    const resumed = await trained(searching(), { store, from });
    expect(resumed.population).toEqual(whole.population);
    expect(champions(resumed)).toEqual(champions(whole));
  });

  it("evaluates labelled rows again as well", async () => {
    const manifest = rows({ name: "SFT", lr: 0.002 }, "rlkit/backwards", "sft", {
      max_steps: 640,
      final_episodes: 70,
    });
    const { events, generations } = await trained(manifest);
    const [champion] = events.filter((event) => event.event === "champion");
    expect(champion).toMatchObject({ episodes: 70 });
    expect(champion?.fitness).toBeLessThan(0);
    const best = Math.max(...generations.flatMap(({ fitnesses }) => fitnesses).filter((f) => f <= 0));
    expect(Math.abs((champion?.fitness ?? 0) - best)).toBeLessThan(1);
  });
});
