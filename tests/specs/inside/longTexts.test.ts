import { describe, expect, it, vi } from "vitest";
import { oversizedText } from "../../../src/manifests/algorithms.ts";
import {
  parseManifest,
  SpecError,
  type SpecIssue,
  TrainingSpec,
  validateManifest,
} from "../../../src/manifests/index.ts";
import { parseSpec } from "../../../src/specs/checks.ts";
import { editDistance } from "../../../src/specs/editDistance.ts";
import { nearest } from "../../../src/specs/messages.ts";
import { bytesOf } from "../../../src/specs/plain.ts";

vi.mock("../../../src/specs/editDistance.ts", { spy: true });

const compared = vi.mocked(editDistance).mock;

const HEAD = "algorithm: {name: DQN}\nenvironment: {name: CartPole-v1}\n";
const list = <T>(length: number, of: (index: number) => T): T[] => Array.from({ length }, (_, i) => of(i));
const keys = (count: number, line: (i: number) => string): string => list(count, line).join("\n");

function issuesOf(input: string | Record<string, unknown>): readonly SpecIssue[] {
  compared.calls.length = 0;
  const result = validateManifest(input);
  return result.success ? [] : result.issues;
}

const most = Math.max;
const manifest = (sections: object) => ({
  algorithm: { name: "DQN" },
  environment: { name: "CartPole-v1" },
  ...sections,
});
const unknown = (count: number, value: unknown = 1) =>
  Object.fromEntries(list(count, (i) => [`key_${i}`, value]));

describe("names that are far from all", () => {
  it("are not compared letter by letter", () => {
    compared.calls.length = 0;
    expect(nearest("D".repeat(100_000), ["DQN", "DDPG"])).toBeUndefined();
    expect(nearest("max_stepz", ["max_steps", "a", "evaluation_interval"])).toBe("max_steps");
    expect(compared.calls).toHaveLength(1);
  });

  it.each([
    ["an algorithm's", { algorithm: { name: "D".repeat(100_000) } }],
    ["a key's", { ["k".repeat(100_000)]: 1 }],
    ["an environment's entrypoint", { environment: { name: "x", entrypoint: "y".repeat(100_000) } }],
    ["a hyperparameter's", { mutation: { rl_hp_selection: { ["h".repeat(100_000)]: { min: 1, max: 2 } } } }],
    ["one of many bytes", { algorithm: { name: "\u{1f600}".repeat(50_000) } }],
    [
      "an activation's",
      { network: { head_config: { hidden_size: [8], activation: "ReLU".repeat(25_000) } } },
    ],
  ])("of 100 kB are refused in a short message: %s", (_, sections) => {
    const issues = issuesOf(manifest(sections));
    expect(issues).not.toEqual([]);
    expect(compared.calls.flat().reduce((longest, name) => most(longest, name.length), 0)).toBeLessThan(101);
    for (const { path, message } of issues) expect(bytesOf(path + message)).toBeLessThan(4_000);
    expect(bytesOf(new SpecError(issues).message)).toBeLessThan(4_096);
  });
});

describe("many problems", () => {
  it.each<[string, Record<string, unknown>]>([
    ["unknown sections", manifest(unknown(5_000))],
    ["unknown keys of a section", manifest({ training: unknown(5_000) })],
    [
      "hyperparameters that there are not",
      manifest({ mutation: { rl_hp_selection: unknown(5_000, { min: 1, max: 2 }) } }),
    ],
    ["ranges that are none", manifest({ mutation: { rl_hp_selection: unknown(5_000, 3) } })],
    ["numbers in a list", manifest({ environment: { name: "x", env_wrappers: list(5_000, (i) => i) } })],
  ])("are listed to the hundredth: %s", (_, input) => {
    const issues = issuesOf(input);
    expect(issues.length).toBeGreaterThan(99);
    expect(issues.length).toBeLessThan(103);
    expect(issues.map(({ message }) => message).join("\n")).toMatch(/more|"key_100"/);
    // Bounds the comparisons of a hundred names with a manifest's keys and sections.
    expect(compared.calls.length).toBeLessThan(20_000);
    expect(() => parseManifest(input)).toThrow(/ problems\):\n(?:.*\n){5,}  and \d+ more$/);
    expect(bytesOf(new SpecError(issues).message)).toBeLessThan(4_096);
  });

  it("say how many of them are not listed", () => {
    const error = new SpecError(list(500, (i) => ({ ...issueAt(`a.b${i}`), message: "x".repeat(50) })));
    const lines = error.message.split("\n");
    expect(lines[0]).toBe("Invalid configuration (500 problems):");
    expect(lines.at(-1)).toBe(`  and ${500 - (lines.length - 2)} more`);
    expect(error.issues).toHaveLength(500);
    expect(() => parseSpec(TrainingSpec, unknown(150))).toThrow(/^Invalid configuration \(150 problems\)/);
  });

  const issueAt = (path: string): SpecIssue => ({ code: "rule", path, segments: [path], message: "wrong" });

  it("name keys that stand twice, in the order of the text", () => {
    const issues = issuesOf(`${HEAD}training: {max_steps: 5, pop_size: 1, max_steps: 6}\nalgorithm: 3\n`);
    expect(issues.map(({ message, line, column }) => [message, line, column])).toEqual([
      ["not valid YAML: Map keys must be unique", 3, 39],
      ["not valid YAML: Map keys must be unique", 4, 1],
    ]);
  });
});

describe("texts that take a parser long", () => {
  it.each<[string, string, RegExp]>([
    ["20,000 keys", keys(20_000, (i) => `key_${i}: 1`), /more than 10000 words/],
    ["20,000 closing brackets", "]".repeat(20_000), /more than 10000 words/],
    ["a million characters", `x: ${"y".repeat(1_000_000)}`, /found 1000059 characters.*at most 250000/],
    [
      "open brackets",
      `x: ${"[".repeat(20_000)}`,
      /nested more than 100 levels deep; a manifest may have at most 100/,
    ],
    [
      "brackets that are closed",
      `x: ${"[".repeat(200)}${"]".repeat(200)}`,
      /nested more than 100 levels deep; a manifest may have at most 100/,
    ],
    [
      "mappings in mappings",
      `x: ${"{a: ".repeat(200)}1${"}".repeat(200)}`,
      /nested more than 100 levels deep; a manifest may have at most 100/,
    ],
    [
      "lists in lists on a line",
      "- ".repeat(20_000),
      /nested more than 100 levels deep; a manifest may have at most 100/,
    ],
    [
      "keys that are mappings",
      "? ".repeat(20_000),
      /nested more than 100 levels deep; a manifest may have at most 100/,
    ],
    ["anchors", keys(200, (i) => `a${i}: &x${i} 1`), /more than 100 anchors/],
    [
      "aliases of aliases",
      `a: &a [x,x,x,x,x,x,x,x,x]\n${keys(9, (i) => {
        const [from, to] = ["abcdefghi"[i], "bcdefghij"[i]];
        return `${to}: &${to} [${list(9, () => `*${from}`).join(",")}]`;
      })}`,
      /Excessive alias count/,
    ],
  ])("are refused in one line: %s", (_, text, message) => {
    const issues = issuesOf(text.startsWith("- ") || text.startsWith("? ") ? text : HEAD + text);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ code: "syntax", path: "", message: expect.stringMatching(message) });
    expect(bytesOf(new SpecError(issues).message)).toBeLessThan(400);
  });

  it("are not those of a large map, a long comment or brackets in quotes", () => {
    const desc = list(60, () => "F".repeat(60));
    const text = `${HEAD}# ${"-? [{&*".repeat(2_000)}\ntraining: {name: "${"[{".repeat(500)}"}\n`;
    expect(oversizedText(text)).toBeNull();
    expect(issuesOf(text)).toEqual([]);
    expect(oversizedText(JSON.stringify(manifest({ environment: { env_config: { desc } } })))).toBeNull();
  });

  it("are no objects with whole numbers of any size, which are named as they are", () => {
    expect(issuesOf(manifest({ training: [3n] }))[0]).toMatchObject({
      path: "training",
      message: expect.stringMatching(/found \["3"\]/),
    });
  });

  it("keep numbers of any length apart from numbers", () => {
    const [issue] = issuesOf(`algorithm: {name: DQN, lr: ${"9".repeat(100_000)}}\nenvironment: {name: x}\n`);
    expect(issue).toMatchObject({ path: "algorithm.lr" });
    expect(issue?.message.length).toBeLessThan(200);
  });
});
