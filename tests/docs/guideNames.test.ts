/** What guides name is there: manifests are valid, and tables of names from other libraries lead to names of rlkit. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import * as rlkit from "../../src/index.ts";
import {
  listAlgorithms,
  manifestJsonSchema,
  parseSweep,
  validateManifest,
} from "../../src/manifests/index.ts";
import { pages } from "./pages.ts";

const guides = pages.filter((page) => page.startsWith("docs/guides/"));
const read = (page: string): string => readFileSync(path.join(root, page), "utf8");

/** Names of fields and words that fields may hold, at any depth. */
function namesIn(part: unknown): string[] {
  if (typeof part === "string") return [part];
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => [key, ...namesIn(value)]);
}

/** Types, arguments and methods, and what environments and trainers have. */
const OTHERS = `
  ParallelEnvironment agent agents env info id obs observation reward terminated truncated action_mask observer
  load fromManifest getAction learn test clone save train reset step seed loop training true false
  tournament mutations select mutation elite pop population generation indices epsilon epsilon_high`;

const names = new Set([
  ...namesIn(manifestJsonSchema()),
  ...listAlgorithms(),
  ...Object.keys(rlkit),
  ...OTHERS.trim().split(/\s+/),
]);

/** Names in the last cells of the tables whose last column is rlkit. */
function rlkitNames(text: string): string[] {
  const tables = text.split("\n\n").filter((block) => /^\|[^\n]*\| rlkit \|\n/.test(block));
  const cells = tables.flatMap((table) =>
    table
      .split("\n")
      .slice(2)
      .map((row) => row.split(/(?<!\\)\|/).at(-2) ?? ""),
  );
  const spans = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code));
  return spans.flatMap((code) => code.replaceAll(/"[^"]*"/g, "").match(/[A-Za-z]\w+/g) ?? []);
}

describe.each(guides)("%s", (guide) => {
  const text = read(guide);
  const manifests = [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, manifest = ""]) => manifest);

  it("has manifests that are valid", () => {
    const faulty = manifests.map((manifest) => validateManifest(manifest)).filter(({ success }) => !success);
    expect(faulty).toEqual([]);
  });

  it("translates to names that are there", () => {
    const used = rlkitNames(text);
    expect(used.filter((name) => !names.has(name))).toEqual([]);
  });
});

it("sweeps.md has sweeps that are valid", () => {
  const page = read("docs/guides/sweeps.md");
  const sweeps = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, sweep = ""]) => parseSweep(sweep));
  expect(sweeps.map(({ settings }) => settings.length)).toEqual([4, 20]);
});

it("finds names in tables", () => {
  const table = '| SB3 | rlkit |\n|---|---|\n| `a` | `lr`, or `make("id", 8)` |';
  expect(rlkitNames(`text\n\n${table}\n\n| b | c |\n|---|---|\n| d | \`e\` |`)).toEqual(["lr", "make"]);
});
