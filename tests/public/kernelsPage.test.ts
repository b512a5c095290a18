/** docs/kernels.md traces and runs a program: its code is fitLine.ts, which is run here. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { line } from "./fitLine.ts";

it("fits a line", () => {
  expect(line.weight).toBeCloseTo(2, 2);
  expect(line.bias).toBeCloseTo(1, 2);
  expect(line.loss).toBeLessThan(1e-4);
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
