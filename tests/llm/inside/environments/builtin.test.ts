import { describe, expect, it } from "vitest";
import {
  GridNavigation,
  listLlmEnvironments,
  makeLlmEnvironment,
} from "../../../../src/llm/environments/builtin.ts";
import type { LlmEnvironment } from "../../../../src/llm/index.ts";

const promptOf = async (env: LlmEnvironment, seed?: number): Promise<string> => {
  const [prompt] = await env.reset(seed);
  if (typeof prompt !== "string") throw new Error("no text");
  return prompt;
};
const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);

describe("built-in environments of language models", () => {
  it("ConstantTarget rewards its target anywhere in the text", () => {
    const env = makeLlmEnvironment("rlkit/ConstantTarget");
    expect(env.reset(0)).toEqual(["11", {}]);
    expect(env.step("03")).toEqual(["", 1, true, false, {}]);
    expect(env.step("2")).toEqual(["", -1, true, false, {}]);
    const other = makeLlmEnvironment("rlkit/ConstantTarget", { target: "2", prompt: "0" });
    expect(other.reset()).toEqual(["0", {}]);
    expect(other.step("2")).toEqual(["", 1, true, false, {}]);
  });

  it.each([
    ["rlkit/ConditionalTarget", (prompt: string) => (Number(prompt) % 3) + 1, 3],
    ["rlkit/MultiInputConditional", (prompt: string) => ((Number(prompt[0]) + Number(prompt[1])) % 3) + 1, 9],
  ])("%s rewards its answer alone, for every prompt", async (id, answer, prompts) => {
    const env = makeLlmEnvironment(id);
    const seen = new Set<string>();
    for (const seed of SEEDS) {
      const prompt = await promptOf(env, seed);
      seen.add(prompt);
      for (let digit = 0; digit < 5; digit++)
        expect(env.step(String(digit))).toEqual(["", digit === answer(prompt) ? 1 : -1, true, false, {}]);
      expect(await promptOf(env, seed)).toBe(prompt);
    }
    expect(seen.size).toBe(prompts);
    expect([...seen].every((prompt) => /^[123]+$/.test(prompt))).toBe(true);
  });

  it("GridNavigation walks, arrives and ends at its last turn", () => {
    const env = new GridNavigation();
    const seen = new Set<string>();
    for (const seed of SEEDS) {
      const [prompt] = env.reset(seed);
      seen.add(prompt);
      const target = Number(prompt[1]);
      let position = Number(prompt[0]);
      expect(position).not.toBe(target);
      while (position !== target) {
        const step = Math.sign(target - position);
        position += step;
        const arrived = position === target;
        expect(env.step(step < 0 ? "1" : "3")).toEqual([
          String(position),
          arrived ? 1 : -0.1,
          arrived,
          false,
          {},
        ]);
      }
    }
    expect(seen.size).toBe(12);
    const [prompt] = env.reset(0);
    for (let turn = 1; turn <= 4; turn++) expect(env.step(turn % 2 ? "2" : "x")[1]).toBe(-0.1);
    expect(env.step("2")).toEqual([prompt[0], -1, true, false, {}]);
  });

  it("GridNavigation stays on its line", () => {
    const env = new GridNavigation({ max_turns: 50 });
    for (const seed of SEEDS) {
      const [prompt] = env.reset(seed);
      if (prompt !== "12") continue;
      expect([env.step("1")[0], env.step("1")[0], env.step("3")[0], env.step("3")[1]]).toEqual([
        "0",
        "0",
        "1",
        1,
      ]);
      return;
    }
    expect.unreachable("no seed begins at 1 with target 2");
  });

  it("are listed, and refuse arguments that they do not have", () => {
    for (const id of listLlmEnvironments())
      expect(() => makeLlmEnvironment(id, { colour: 1 })).toThrow("env_config.colour");
    expect(() => makeLlmEnvironment("rlkit/Constant")).toThrow("available: rlkit/ConstantTarget");
  });

  it("go on to other episodes without a seed", async () => {
    const env = makeLlmEnvironment("rlkit/ConditionalTarget");
    expect(new Set(await Promise.all(SEEDS.map(() => promptOf(env)))).size).toBe(3);
  });
});
