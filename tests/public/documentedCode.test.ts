/**
 * The code of the documentation: every run-time name of the package's root has TSDoc with an example, the examples and
 * those of the README and docs/language-models.md compile, in one go, and the pages' examples run as they stand there.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import * as rlkit from "../../src/index.ts";
import { ExampleProject } from "./checkExamples.ts";
import { examplesOf, publicDoc } from "./publicDocs.ts";

const project = new ExampleProject();
afterAll(() => project.remove());

/** The code of a page. */
const codeOf = (page: string): string[] =>
  [...readFileSync(path.join(root, page), "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
    ([, code = ""]) => code,
  );

const README = codeOf("README.md");
const LANGUAGE_MODELS = codeOf("docs/language-models.md");
const docs = Object.keys(rlkit).map(publicDoc);

/** Names that the root exports, types too. */
const exported = [
  ...readFileSync(path.join(root, "src/index.ts"), "utf8").matchAll(/^ {2}(?:type )?(\w+),$/gm),
].map(([, name = ""]) => name);

/** An example as a module: what it takes from the root, it imports. */
function moduleOf(code: string): string {
  const used = exported.filter((name) => new RegExp(`(?<![.\\w])${name}\\b`).test(code));
  return `import { ${used.join(", ")} } from "rlkit";\n${code}`;
}

/** The example with other numbers, which it must have. */
function shortened(code: string, numbers: Readonly<Record<string, string>>): string {
  return Object.entries(numbers).reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, code);
}

const lastLine = (printed: string): string | undefined => printed.trim().split("\n").at(-1);

beforeAll(() => {
  const end = "\nconsole.log(population.length, fitnesses.every(Number.isFinite));\n";
  const [fromManifest = "", fromObjects = ""] = README;
  project.write("fromManifest.ts", fromManifest + end);
  const fewer = { "max_steps: 60_000": "max_steps: 640", "evo_steps: 4_000": "evo_steps: 320" };
  project.write("fromObjects.ts", shortened(fromObjects, fewer) + end);
  const [load = "", sft = "", grpo = "", population = "", dpo = ""] = LANGUAGE_MODELS;
  project.write("load.ts", `${load}console.log(shape.join());\n`);
  project.write("sft.ts", sft);
  project.write("grpo.ts", grpo);
  project.write("population.ts", population + end);
  project.write("dpo.ts", `${dpo}console.log(Object.keys(agent.member.policy).length);\n`);
  for (const doc of docs)
    for (const [i, code] of examplesOf(doc).entries()) project.write(`${doc.name}${i}.ts`, moduleOf(code));
});

it("is accepted by the compiler", () => {
  expect(project.complaints()).toBe("");
});

describe("the README", () => {
  it("trains from a manifest's file, and with ready objects", () => {
    expect(README).toHaveLength(2);
    const training = "{ pop_size: 2, max_steps: 320, evo_steps: 160 }";
    project.write(
      "dqn-cartpole.yaml",
      `algorithm: { name: DQN }\nenvironment: { name: CartPole-v1 }\ntraining: ${training}\n`,
    );
    expect(lastLine(project.run("fromManifest.ts"))).toBe("2 true");
    expect(lastLine(project.run("fromObjects.ts"))).toBe("4 true");
  });
});

describe("docs/language-models.md", () => {
  it("loads, trains by an adapter, trains on rewards, a population too, and goes on from the stage before", () => {
    expect(LANGUAGE_MODELS).toHaveLength(5);
    expect(lastLine(project.run("load.ts"))).toBe("2,3,98");
    const losses = project.run("sft.ts").trim().split("\n").map(Number);
    expect(losses).toHaveLength(21);
    expect(losses[19]).toBeLessThan(losses[0] ?? 0);
    const rewards = project.run("grpo.ts").trim().split("\n");
    expect(rewards).toHaveLength(10);
    expect(lastLine(project.run("population.ts"))).toBe("2 true");
    expect(project.run("dpo.ts").trim()).toBe("56");
  });
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
