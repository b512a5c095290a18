import { describe, expect, it } from "vitest";
import { templates } from "../../../src/manifests/templates.ts";
import { rankCommand } from "../../../src/ui/shell/palette/commands.ts";

const GROUP = "New run from a template";
const rank = (typed: string, label: string): number => rankCommand(label, GROUP, typed);

describe("the palette", () => {
  it("lists what contains the typed words, and nothing else", () => {
    const found = templates.filter(({ title }) => rank("pend", title) > 0).map(({ title }) => title);
    expect(found.length).toBeGreaterThan(2);
    for (const title of found) expect(title).toContain("Pendulum");
    expect(rank("pend ppo", "PPO Pendulum")).toBeGreaterThan(0);
    expect(rank("pend ppo", "TD3 Pendulum")).toBe(0);
    expect(rank("next", "Answer with the next digit (GRPO)")).toBeGreaterThan(0);
    expect(rank("grpo", "Answer with the next digit (GRPO)")).toBeGreaterThan(0);
  });

  it("ranks the beginning of a label over that of a word, over a part of one, over the heading", () => {
    const ranks = [rank("ppo", "PPO Pendulum"), rank("pend", "PPO Pendulum"), rank("dulum", "PPO Pendulum")];
    const all = [...ranks, rank("template", "PPO Pendulum"), rank("x", "PPO Pendulum")];
    expect(all).toEqual([...all].sort((a, b) => b - a));
    expect(new Set(all).size).toBe(all.length);
  });
});
