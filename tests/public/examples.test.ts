/** Every run-time name of the package's root has TSDoc with an example, and the examples hold. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import * as rlkit from "../../src/index.ts";
import { ExampleProject } from "./checkExamples.ts";
import { examplesOf, publicDoc } from "./publicDocs.ts";

const docs = Object.keys(rlkit).map(publicDoc);
const project = new ExampleProject();
afterAll(() => project.remove());

/** Names that the root exports, types too. */
const exported = [
  ...readFileSync(path.join(root, "src/index.ts"), "utf8").matchAll(/^ {2}(?:type )?(\w+),$/gm),
].map(([, name = ""]) => name);

/** An example as a module: what it takes from the root, it imports. */
function moduleOf(code: string): string {
  const used = exported.filter((name) => new RegExp(`(?<![.\\w])${name}\\b`).test(code));
  return `import { ${used.join(", ")} } from "rlkit";\n${code}`;
}

it("has a description and an example for each", () => {
  const lacking = docs.filter((doc) => examplesOf(doc).length === 0 || /^\/\*\*\s*\*?\s*@/.test(doc.doc));
  expect(lacking.map(({ name }) => name)).toEqual([]);
});

it("uses in each example the name that it shows", () => {
  const without = docs.filter(
    (doc) => !examplesOf(doc).every((code) => new RegExp(`\\b${doc.name}\\b`).test(code)),
  );
  expect(without.map(({ name }) => name)).toEqual([]);
});

it("has examples that the compiler accepts", () => {
  for (const doc of docs) {
    for (const [i, code] of examplesOf(doc).entries()) project.write(`${doc.name}${i}.ts`, moduleOf(code));
  }
  expect(project.complaints()).toBe("");
});
