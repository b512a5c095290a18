import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkManifestText } from "../../src/manifests/index.ts";
import { templates } from "../../src/manifests/templates.ts";
import { listEnvironments } from "../../src/rl/environments.ts";
import { isMapping } from "../../src/specs/messages.ts";

const environments = listEnvironments();

const issuesOf = (text: string) => {
  const result = checkManifestText(text, { environments });
  return result.success ? [] : result.issues;
};

describe("the issues of a manifest", () => {
  it("are all told at once, in the order of lines, with the closest name", () => {
    const text = [
      "training:",
      "  max_steps: 5_000",
      "  evo_steps: 6_000",
      "environment:",
      "  name: CartPole-v2",
      "  num_env: 4",
      "algorithm:",
      "  name: PP0",
      "  learning_rate: 0.001",
      "  gamma: 7",
    ].join("\n");
    // The text has no field "lr" whose value could be wrong.
    expect(issuesOf(text.replace("0.001", "-1"))).toHaveLength(6);
    expect(issuesOf(text).map(({ path, line, suggestion }) => [path, line, suggestion])).toEqual([
      ["training.evo_steps", 3, undefined],
      ["environment.name", 5, "CartPole-v1"],
      ["environment.num_env", 6, "num_envs"],
      ["algorithm.name", 8, "PPO"],
      ["algorithm.learning_rate", 9, "lr"],
      ["algorithm.gamma", 10, undefined],
    ]);
  });

  it("name an unknown environment whatever else is wrong, but none that an algorithm's name decides", () => {
    const head = "environment: {name: CartPole-v2}\nalgorithm: ";
    for (const algorithm of ["PPO", "{name: PPO, lr: x}", "{}", "{name: nothing-like-it}"])
      expect(issuesOf(head + algorithm).map(({ path }) => path)).toContain("environment.name");
    const own = "algorithm: {name: PPO, lr: x}\nenvironment: {name: Mine, path: ./mine.js}";
    expect(issuesOf(own).map(({ path }) => path)).toEqual(["algorithm.lr"]);
  });

  it("of one fault are one, in every template", () => {
    const section = fc.constantFrom("algorithm", "environment", "training", "mutation", "selection_strategy");
    const fault = fc.constantFrom<(keys: readonly string[]) => readonly [string, unknown]>(
      () => ["zzzzzz", 1],
      ([key = ""]) => [`${key}s_`, 1],
      (keys) => [keys[keys.length - 1] ?? "x", { no: "value" }],
    );
    fc.assert(
      fc.property(fc.constantFrom(...templates), section, fault, ({ manifest }, place, faultOf) => {
        const before: Record<string, unknown> = { ...manifest };
        const own = before[place];
        if (!isMapping(own)) return;
        const [key, value] = faultOf(
          Object.keys(own).filter((name) => !["name", "strategy", "env_type", "env_config"].includes(name)),
        );
        const faulty = { ...before, [place]: { ...own, [key]: value } };
        const found = issuesOf(JSON.stringify(faulty));
        expect(found.map(({ path }) => path.split(/[.[]/).slice(0, 2).join("."))).toEqual([
          `${place}.${key}`,
        ]);
      }),
      { numRuns: 300 },
    );
  });
});

describe("more checks of a manifest", () => {
  const told = (text: string) => {
    const result = checkManifestText(text, {
      environments,
      alsoCheck: ({ environment: { name }, algorithm }) =>
        [
          ["environment", "env_config", name],
          ["algorithm", "lr", `lr of ${algorithm.name}`],
        ].map(([section = "", field = "", message = ""]) => ({
          code: "value",
          path: `${section}.${field}`,
          segments: [section, field],
          message,
        })),
    });
    return result.success ? [] : result.issues.map(({ path, message }) => [path, message]);
  };

  it("are made with what was probably meant, and tell nothing of a known fault", () => {
    const text = "algorithm: {name: PP0, lr: x}\nenvironment: {name: CartPole-v2, env_config: {}}";
    expect(told(text).map(([path]) => path)).toEqual([
      "algorithm.name",
      "algorithm.lr",
      "environment.name",
      "environment.env_config",
    ]);
    expect(told(text).at(-1)).toEqual(["environment.env_config", "CartPole-v1"]);
    // The name of a field is mended, and then its value.
    const renamed = text.replace("lr: x", "learning_rate: x");
    expect(told(renamed).map(([path]) => path)).toEqual([
      "algorithm.name",
      "algorithm.learning_rate",
      "environment.name",
      "environment.env_config",
    ]);
  });

  it("wait for a name that nothing known is like", () => {
    expect(told("algorithm: {name: PPO}\nenvironment: {name: zzzzzzzz}").map(([path]) => path)).toEqual([
      "environment.name",
    ]);
  });
});
