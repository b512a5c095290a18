/** docs/kernels.md traces and runs a program: its code is fitLine.ts, which is run here. Its tables name every export. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import * as kernels from "../../src/kernels/index.ts";
import { line } from "./fitLine.ts";

it("fits a line", () => {
  expect(line.weight).toBeCloseTo(2, 2);
  expect(line.bias).toBeCloseTo(1, 2);
  expect(line.loss).toBeLessThan(1e-4);
});

it("docs/kernels.md names every export, and no function that does not exist", () => {
  const page = readFileSync(path.join(root, "docs/kernels.md"), "utf8");
  const [, operations = ""] = page.split("\n## Operations\n");
  // Names in inline code: `add` and `clip(x, low, high)`.
  const inCode = (text: string) =>
    new Set([...text.matchAll(/`(?:new )?(\w+)(?:\([^`]*\))?`/g)].map(([, name = ""]) => name));
  const all = inCode(page);
  expect(Object.keys(kernels).filter((name) => !all.has(name))).toEqual([]);
  const rows = operations.split("\n").flatMap((line) => /^\| (`.*?) \|/.exec(line)?.[1] ?? []);
  expect([...inCode(rows.join("\n"))].filter((name) => !(name in kernels))).toEqual([]);
});

it("docs/kernels.md has the code that is run here", () => {
  const page = readFileSync(path.join(root, "docs/kernels.md"), "utf8");
  const [, shown = ""] = /^```ts\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const tested = readFileSync(path.join(root, "tests/public/fitLine.ts"), "utf8");
  const asUser = tested
    .replace('"../../src/kernels/index.ts"', '"rlkit/kernels"')
    .replace("export const", "const");
  expect(shown).toBe(asUser);
});
