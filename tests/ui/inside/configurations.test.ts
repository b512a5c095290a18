import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configurationNames } from "../../../src/ui/lib/configurations.ts";
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
