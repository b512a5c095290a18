/**
 * The code of the documentation: every run-time name of the package's root has TSDoc with an example. The examples, those
 * of other entries and of members, of the README and the pages of docs compile, in one go, and complete ones run.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiEntry, readPublicApi } from "../../scripts/api/publicApi.ts";
import { buildLibIfStale } from "../../scripts/lib/build.mjs";
import { root } from "../../scripts/lib/environment.mjs";
import * as rlkit from "../../src/index.ts";
import { ExampleProject } from "./checkExamples.ts";
import { codeOf, pageModules } from "./pageCode.ts";
import { examplesOf, publicDoc } from "./publicDocs.ts";

const project = new ExampleProject();
afterAll(() => project.remove());

const README = codeOf("README.md");
const LIBRARY = codeOf("docs/library.md");
const LANGUAGE_MODELS = codeOf("docs/language-models.md");
const docs = Object.keys(rlkit).map(publicDoc);

/** Names that the root exports, types too. */
const exported = new Set([
  ...Object.keys(rlkit),
  ...[...readFileSync(path.join(root, "src/index.ts"), "utf8").matchAll(/^ {2}(?:type )?(\w+),$/gm)].map(
    ([, name = ""]) => name,
  ),
]);

/** An example as a module: what it takes from the root, it imports. */
function moduleOf(code: string): string {
  const used = [...exported].filter((name) => new RegExp(`(?<![.\\w])${name}\\b`).test(code));
  return `import { ${used.join(", ")} } from "rlkit";\n${code}`;
}

const CODE = /@example[^\n]*\n```ts\n([^]*?)```/g;

const isNamed = (code: string, name: string): boolean => new RegExp(`(?<![.\\w])${name}\\b`).test(code);

/** What code takes from the package without importing it, from the first of the entries that has it. */
function missingImports(code: string, entries: readonly ApiEntry[]): string {
  const own = [...code.matchAll(/^import \{([^}]*)\}/gm)].map(([, names = ""]) => names).join();
  // TypeScript has a type of this name.
  const found = new Map([["Parameters", ""]]);
  for (const { entry, names } of entries)
    for (const { name } of names)
      if (!found.has(name) && isNamed(code, name) && !isNamed(own, name)) found.set(name, entry);
  return [...found].map(([name, entry]) => (entry ? `import { ${name} } from "${entry}";\n` : "")).join("");
}

/** Examples of what else the package exports, and of members of all, as modules. */
function otherExamples(): Map<string, string> {
  const { entries } = readPublicApi();
  const found = new Map<string, string>();
  const seen = new Set<number>();
  for (const own of entries)
    for (const { id, name, declarations } of own.names) {
      if (seen.has(id)) continue;
      seen.add(id);
      for (const { doc, members } of declarations)
        for (const text of [...(name in rlkit ? [] : [doc]), ...members.map((member) => member.doc)])
          for (const [, code = ""] of text.matchAll(CODE))
            found.set(`${name}-${found.size}`, missingImports(code, [own, ...entries]) + code);
    }
  return found;
}

/** The example with other numbers, which it must have. */
function shortened(code: string, numbers: Readonly<Record<string, string>>): string {
  return Object.entries(numbers).reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, code);
}

const linesOf = (printed: string): string[] => printed.trim().split("\n");

let others = new Map<string, string>();

beforeAll(async () => {
  expect(await buildLibIfStale()).toBe(true);
  others = otherExamples();
  for (const [name, code] of others) project.write(`${name}.ts`, code);
  const end = "\nconsole.log(population.length, fitnesses.every(Number.isFinite));\n";
  const [fromManifest = ""] = README;
  const [, fromObjects = ""] = LIBRARY;
  project.write("fromManifest.ts", fromManifest + end);
  const fewer = { "max_steps: 60_000": "max_steps: 640", "evo_steps: 4_000": "evo_steps: 320" };
  project.write("fromObjects.ts", shortened(fromObjects, fewer) + end);
  const [load = "", hub = "", sft = "", grpo = "", population = "", dpo = ""] = LANGUAGE_MODELS;
  project.write("load.ts", `${load}console.log(shape.join());\n`);
  project.write("hub.ts", hub);
  project.write("sft.ts", sft);
  project.write("grpo.ts", grpo);
  project.write("population.ts", population + end);
  project.write("dpo.ts", `${dpo}console.log(Object.keys(Reflect.get(agent, "member").policy).length);\n`);
  for (const doc of docs)
    for (const [i, code] of examplesOf(doc).entries()) project.write(`${doc.name}${i}.ts`, moduleOf(code));
  for (const [name, code] of pageModules(moduleOf)) project.write(`${name}.ts`, code);
});

it("is accepted by the compiler", async () => {
  expect(others.size).toBeGreaterThan(6);
  expect(await project.complaints()).toBe("");
});

it("runs: it trains from a manifest's file, with ready objects, by adapters and on rewards, and goes on from a stage before", () => {
  expect([README.length, LIBRARY.length, LANGUAGE_MODELS.length]).toEqual([1, 2, 6]);
  const training = "{ pop_size: 2, max_steps: 320, evo_steps: 160 }";
  project.write(
    "dqn-cartpole.yaml",
    `algorithm: { name: DQN }\nenvironment: { name: CartPole-v1 }\ntraining: ${training}\n`,
  );
  const files = [
    "fromManifest.ts",
    "fromObjects.ts",
    "load.ts",
    "sft.ts",
    "grpo.ts",
    "population.ts",
    "dpo.ts",
  ];
  const [fromManifest, fromObjects, load, sft = [], grpo, population, dpo] = project
    .run(...files)
    .map(linesOf);
  expect(fromManifest?.at(-1)).toBe("2 true");
  expect(fromObjects?.at(-1)).toBe("4 true");
  expect(load?.at(-1)).toBe("2,3,98");
  const losses = sft.map(Number);
  expect(losses).toHaveLength(21);
  expect(losses[19]).toBeLessThan(losses[0] ?? 0);
  expect(grpo).toHaveLength(10);
  expect(population?.at(-1)).toBe("2 true");
  expect(dpo).toEqual(["56"]);
});

it("runs what other pages have complete", () => {
  const names = ["docs-environments-bodies-0", "docs-normalisation-0"];
  expect(project.run(...names.map((name) => `${name}.ts`))).toEqual(["", "", ""]);
});

describe("each run-time name of the root", () => {
  it("has a description and an example", () => {
    const lacking = docs.filter((doc) => examplesOf(doc).length === 0 || /^\/\*\*\s*\*?\s*@/.test(doc.doc));
    expect(lacking.map(({ name }) => name)).toEqual([]);
  });

  it("is used in each of its examples", () => {
    const without = docs.filter(
      (doc) => !examplesOf(doc).every((code) => new RegExp(`\\b${doc.name}\\b`).test(code)),
    );
    expect(without.map(({ name }) => name)).toEqual([]);
  });
});
