import { describe, expect, it } from "vitest";
import { builtInTemplate } from "../../../src/manifests/templates.ts";
import { chosenSweep } from "../../../src/ui/pages/editor/sweepChoices.ts";

const { manifest } = builtInTemplate("ppo-cartpole");
const NONE = { environments: "", algorithms: "", seeds: "", others: "" };

const chosen = (choices: Partial<typeof NONE>) =>
  chosenSweep({ ...NONE, ...choices }, { ...manifest, algorithm: { ...manifest.algorithm } });

describe("chosenSweep", () => {
  it("multiplies lists of environments, algorithms, seeds and other fields", () => {
    const { sweep, runs, product } = chosen({
      environments: "CartPole-v1,  Acrobot-v1,",
      algorithms: "DQN",
      seeds: "1..3",
      others: "gamma: [0.98, 0.99]",
    });
    expect(runs).toBe(12);
    expect(product).toBe("1 algorithm × 2 environments × 2 values of gamma × 3 seeds");
    expect(sweep.seeds).toEqual([1, 2, 3]);
    expect(sweep.settings).toHaveLength(4);
  });

  it("keeps the fields of the manifest's algorithm, and gives another one its defaults", () => {
    const { sweep } = chosen({ algorithms: "PPO, DQN" });
    expect(sweep).toEqual({
      seeds: null,
      settings: [
        { algorithm: manifest.algorithm },
        // Ranges of PPO's fields would be refused.
        { algorithm: { name: "DQN" }, "mutation.rl_hp_selection": {} },
      ],
    });
  });

  it.each([
    ["7", [7]],
    [" 1, 4 ", [1, 4]],
    ["2..4", [2, 3, 4]],
  ])("reads the seeds %j", (seeds, expected) => {
    expect(chosen({ seeds, environments: "CartPole-v1,Acrobot-v1" }).sweep.seeds).toEqual(expected);
  });

  it.each([
    [{}, "list values of at least one field"],
    [{ seeds: "1..10000" }, "found 10000 runs; a sweep has at most 1000"],
    [{ seeds: "a" }, "allowed a range such as 1..10"],
    [{ others: "lr: 0.1" }, "lr"],
    [{ others: "lr" }, "Other fields, line 1"],
    [{ environments: "CartPole-v1, CartPole-v1" }, "twice"],
  ])("refuses %j", (choices, message) => {
    expect(() => chosen(choices)).toThrow(message);
  });
});
