import { describe, expect, it } from "vitest";
import { type EvolutionReport, metricColumns, metricRow } from "../../src/tracking/history.ts";
import { generation, member } from "./reports.ts";

const shape = { members: 2, metrics: ["loss"], hyperparameters: ["lr"] };

describe("a generation's row", () => {
  it("has one number for each key that is known beforehand, in order", () => {
    const report = generation([member(0), member(1, { score: null })]);
    const row = metricRow(shape, report);
    expect(Object.keys(row)).toEqual(metricColumns(shape));
    expect(row).toEqual({
      "train/global_step": 1_234_567,
      "train/steps_per_second": 3000,
      "eval/mean_fitness": 15.75,
      "eval/best_fitness": 21,
      "train/mean_score": 20,
      "train/mean_loss": 0.5,
      "train/agent_0/local_steps": 1000,
      "eval/agent_0/fitness": 10.5,
      "train/agent_0/score": 20,
      "train/agent_0/loss": 0.5,
      "train/agent_0/lr": 0.000125,
      "train/agent_1/local_steps": 1000,
      "eval/agent_1/fitness": 21,
      "train/agent_1/score": Number.NaN,
      "train/agent_1/loss": 0.5,
      "train/agent_1/lr": 0.000125,
      "eval/episodes": Number.NaN,
      "eval/total_episodes": Number.NaN,
      "evolution/ancestors": Number.NaN,
      "evolution/spread/lr": Number.NaN,
    });
  });

  it("tells evaluations, diversity and the mutations that occurred", () => {
    const mutations = [
      { kind: "none", number: 6, gains: 0, gain: null, gain_error: null, gain_interval: null, survival: 1 },
      {
        kind: "explore",
        number: 2,
        gains: 2,
        gain: -3,
        gain_error: 1,
        gain_interval: [-5, -1],
        survival: 0.5,
      },
    ] as const;
    const evolution: EvolutionReport = {
      since: 1,
      episodes: 8,
      total_episodes: 32,
      members: 2,
      ancestors: 1,
      hyperparameters: { lr: { distinct: 2, spread: 0.25 } },
      mutations,
    };
    const row = metricRow(shape, generation([member(0), member(1)], { evolution }));
    expect(row).toMatchObject({
      "eval/episodes": 8,
      "eval/total_episodes": 32,
      "evolution/ancestors": 1,
      "evolution/spread/lr": 0.25,
      "evolution/explore/number": 2,
      "evolution/explore/gain": -3,
      "evolution/explore/gain_low": -5,
      "evolution/explore/gain_high": -1,
      "evolution/explore/gains": 2,
      "evolution/explore/survival": 0.5,
    });
    expect(Object.keys(row)).not.toContain("evolution/none/number");
  });

  it("has NaN for what a member lacks", () => {
    const lost = member(0, { fitness: Number.NaN, score: null, metrics: {} });
    const alone = metricRow({ ...shape, members: 1 }, generation([lost]));
    for (const key of ["eval/best_fitness", "eval/mean_fitness", "train/mean_score", "train/mean_loss"])
      expect(alone[key]).toBeNaN();
    const both = metricRow(shape, generation([lost, member(1)]));
    expect(both).toMatchObject({ "eval/best_fitness": 21, "eval/mean_fitness": 21, "train/mean_loss": 0.5 });
  });

  it("has each of several agents", () => {
    const both = (seen: number, said: number) => ({ agent_fitness: { speaker_0: said, listener_0: seen } });
    const agents = ["speaker_0", "listener_0"];
    const row = metricRow({ ...shape, agents }, generation([member(0, both(1, 2)), member(1, both(3, 6))]));
    expect(Object.keys(row)).toEqual(metricColumns({ ...shape, agents }));
    expect(row).toMatchObject({
      "eval/mean_fitness/speaker_0": 4,
      "eval/best_fitness/listener_0": 3,
      "eval/agent_1/fitness/speaker_0": 6,
    });
  });

  it("grows by members and metrics that were not known", () => {
    const row = metricRow(shape, generation([member(0), member(1), member(2, { metrics: { kl: 1 } })]));
    expect(row["eval/agent_2/fitness"]).toBe(31.5);
    expect(row["train/agent_2/kl"]).toBe(1);
    expect(row["train/agent_0/kl"]).toBeNaN();
  });
});
