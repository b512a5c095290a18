import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configurationNames, runNames } from "../../../src/ui/lib/configurations.ts";
import { flatConfig } from "../../../src/ui/lib/manifestValues.ts";

const config = (lr: number, seed: number, more: object = {}) =>
  flatConfig({
    algorithm: { name: "DQN", lr, ...more },
    environment: { name: "CartPole-v1" },
    mutation: { rand_seed: seed },
  });

describe("names of configurations", () => {
  it("are equal where seeds alone differ, and name what else differs", () => {
    expect(configurationNames([config(0.1, 1), config(0.1, 2), config(0.2, 1)])).toEqual([
      "DQN CartPole-v1, lr 0.1",
      "DQN CartPole-v1, lr 0.1",
      "DQN CartPole-v1, lr 0.2",
    ]);
    expect(configurationNames([config(0.1, 1), config(0.1, 2)])).toEqual([
      "DQN CartPole-v1",
      "DQN CartPole-v1",
    ]);
    expect(configurationNames([config(0.1, 1, { tau: 0.5 }), config(0.1, 1)])).toEqual([
      "DQN CartPole-v1, tau 0.5",
      "DQN CartPole-v1, tau default",
    ]);
  });

  it("tell fields of the same last part by more of it", () => {
    const sized = (encoder: number, head: number) =>
      flatConfig({ network: { encoder: { size: encoder }, head: { size: head } } });
    expect(configurationNames([sized(1, 2), sized(3, 4)])).toEqual([
      ", encoder.size 1, head.size 2",
      ", encoder.size 3, head.size 4",
    ]);
  });

  it("are equal exactly for equal configurations, however many fields differ", () => {
    const some = fc.array(
      fc.record({ a: fc.nat(1), b: fc.nat(1), c: fc.nat(1), d: fc.nat(1), e: fc.nat(1), f: fc.nat(1) }),
      {
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(some, (fields) => {
        const configs = fields.map((more, seed) => config(0.1, seed, more));
        const names = configurationNames(configs);
        const texts = fields.map((one) => JSON.stringify(one));
        for (const [i, name] of names.entries())
          for (const [j, other] of names.entries()) expect(name === other).toBe(texts[i] === texts[j]);
      }),
    );
  });
});

describe("names of compared runs", () => {
  const named = (lr: number, seed: number, name = "DQN CartPole-v1") => ({
    name,
    config: config(lr, seed),
    seed,
  });

  it("say what differs: fields, seeds, and algorithm and environment beside a name of the user's", () => {
    expect(runNames([named(0.1, 1), named(0.1, 2)])).toEqual([
      "DQN CartPole-v1, seed 1",
      "DQN CartPole-v1, seed 2",
    ]);
    expect(runNames([named(0.1, 1), named(0.2, 1), named(0.2, 1)])).toEqual([
      "DQN CartPole-v1, lr 0.1",
      "DQN CartPole-v1, lr 0.2",
      "DQN CartPole-v1, lr 0.2 (2)",
    ]);
    const other = flatConfig({ algorithm: { name: "PPO" }, environment: { name: "Acrobot-v1" } });
    expect(runNames([named(0.1, 1, "Mine"), { name: "Mine", config: other, seed: 1 }])).toEqual([
      "Mine, DQN CartPole-v1",
      "Mine, PPO Acrobot-v1",
    ]);
  });

  it("leave out of account what could not be opened", () => {
    const lost = { name: "run-9", config: flatConfig(null), seed: null };
    expect(runNames([named(0.1, 1, "Mine"), lost])).toEqual(["Mine", "run-9"]);
  });

  it("are never equal in one comparison", () => {
    const some = fc.array(
      fc.record({
        name: fc.constantFrom("", "DQN CartPole-v1", "x", "x (2)", "x, seed 1"),
        lr: fc.nat(1),
        seed: fc.nat(2),
      }),
      { maxLength: 9 },
    );
    fc.assert(
      fc.property(some, (runs) => {
        const names = runNames(runs.map(({ name, lr, seed }) => named(lr, seed, name)));
        expect(new Set(names).size).toBe(runs.length);
      }),
    );
  });
});
