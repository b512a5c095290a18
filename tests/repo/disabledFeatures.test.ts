/** Of a switch that is given twice, Chromium hears the last: ours must contain what Playwright's does. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { chromiumFlags } from "../../scripts/lib/browser.mjs";
import { root } from "../../scripts/lib/environment.mjs";

it("disables all features of Chromium that Playwright disables", () => {
  const code = readFileSync(path.join(root, "node_modules/playwright-core/lib/coreBundle.js"), "utf8");
  const [, list = ""] = /\bdisabledFeatures = \[([^\]]*)\]/.exec(code) ?? [];
  const named = list.replaceAll(/^\s*\/\/.*$/gm, "").match(/(?<=")\w+(?=")/g) ?? [];
  expect(named).toContain("PaintHolding");
  const [ours = ""] = chromiumFlags().filter((flag) => flag.startsWith("--disable-features="));
  const missing = named.filter((name) => !ours.split(/[=,]/).includes(name));
  expect(missing).toEqual([]);
});
