/** Games in code: their lanes as a sandbox gives them, and what their validation finds. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { SandboxedEnvironment } from "../../src/sandbox/environments.ts";
import { inProcess } from "./inside/support/inProcess.ts";
import { NIM } from "./support/modules.ts";

const open = (script: string, num_envs = 1) =>
  SandboxedEnvironment.open(inProcess, {
    name: "user/nim",
    script,
    entrypoint: null,
    options: {},
    num_envs,
  });

async function findingsOf(script: string): Promise<string[]> {
  const env = await open(script);
  try {
    return (await env.validate({ steps: 300, seed: 3 })).findings.map(
      ({ level, what }) => `${level}: ${what}`,
    );
  } finally {
    env.close();
  }
}

/** A fault in the example: what is replaced, and by what. */
const changed = (from: string, to: string): string => {
  expect(NIM).toContain(from);
  return NIM.replace(from, to);
};

describe("a game in code", () => {
  it("has lanes whose seats take turns, and a reward of the seat", async () => {
    const env = await open(NIM, 2);
    expect(env.players).toEqual(["first", "second"]);
    const { info } = await env.reset({ seed: 1 });
    expect(info.map(({ waits }) => waits)).toEqual([undefined, true]);
    for (let move = 0; move < 3; move++) await env.step([2, 2]);
    // The second player takes the last stones.
    const end = await env.step([2, 2]);
    expect(Array.from(end.reward)).toEqual([-1, 1]);
    expect(Array.from(end.terminated)).toEqual([1, 1]);
    env.close();
  });

  it("is valid as the documentation has it", async () => {
    const page = readFileSync(path.join(root, "docs/environments/your-own.md"), "utf8");
    expect(page).toContain(NIM);
    expect(await findingsOf(NIM)).toEqual([]);
  });

  it.each([
    ["no legal move", "Number(taken <= this.stones)", "0", "no legal choice"],
    ["a mask of another length", "[1, 2, 3].map", "[1, 2].map", "found 2 numbers, allowed 3 numbers"],
    [
      "an illegal move that is taken",
      "if (action + 1 > this.stones)",
      "if (false)",
      "which action_mask forbids; throw an error there",
    ],
    [
      "rewards that are not per player",
      "{ [mover]: won ? 1 : 0, [other]: won ? -1 : 0 }",
      "won ? 1 : 0",
      "rewards: found 0, allowed a finite number for each of first, second",
    ],
    [
      "rewards of no zero-sum game",
      "[other]: won ? -1 : 0",
      "[other]: won ? 0.5 : 0",
      "allowed in training: rewards that sum to 0",
    ],
    [
      "a player who leaves",
      "this.each(won)",
      "{ first: won, second: false }",
      "first leaves while second plays on",
    ],
    [
      "a turn of nobody",
      "this.agent_selection = other",
      'this.agent_selection = "none"',
      'agent_selection: found "none", allowed the player whose turn it is: first or second',
    ],
  ])("is refused for %s", async (_name, from, to, what) => {
    const [finding, ...others] = await findingsOf(changed(from, to));
    expect(finding).toMatch(/^error: /);
    expect(finding).toContain(what);
    expect(others).toEqual([]);
  });

  it("is refused for three players", async () => {
    const script = changed('["first", "second"]', '["first", "second", "third"]');
    const found = await findingsOf(script.replace("this.rewards = {", "this.rewards = { third: 0,"));
    expect(found).toEqual([
      expect.stringContaining("found 3 players (first, second, third), allowed in training"),
    ]);
  });

  it("is refused for spaces that differ", async () => {
    const script = changed(
      'this.each({ kind: "Discrete", n: 3 })',
      '({ first: { kind: "Discrete", n: 3 }, second: { kind: "Discrete", n: 4 } })',
    );
    await expect(open(script)).rejects.toThrow("all players are played by one policy");
  });

  it("that never ends is warned of without a limit, and truncated with one", async () => {
    const endless = changed("const won = this.stones === 0;", "const won = false; this.stones ||= 12;");
    const limited = await open(endless);
    await limited.reset({ seed: 1 });
    const flags: number[] = [];
    for (let move = 0; move < 12; move++) {
      const { terminated, truncated } = await limited.step([0]);
      flags.push((terminated[0] ?? 0) * 2 + (truncated[0] ?? 0));
    }
    expect(flags).toEqual([...new Array(11).fill(0), 1]);
    limited.close();
    const unlimited = endless.replace("spec = { max_episode_steps: 12 };", "");
    expect(await findingsOf(unlimited)).toEqual([expect.stringContaining("warning: no episode ended")]);
  });
});
