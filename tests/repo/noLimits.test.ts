/** A limit in seconds fails on a slow machine; only the one for all stages of `npm test` may end a test. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createVitest } from "vitest/node";
import { root } from "../../scripts/lib/environment.mjs";

/** As long as a timer can wait. */
const LONGEST = 2 ** 31 - 1;

/** Limits of tests and hooks, of waits, and calls that have one unless told otherwise. */
const LIMITS = [
  /\b(?:t|hookT|testT|actionT|navigationT)imeout["']?:(?! *0\b)/,
  /^ *\},? *[1-9][\d_]{3,}\);?$/,
  /\bvi\.wait(?:For|Until)\(/,
  /\bsetDefault(?:Navigation)?Timeout\((?!0\))/,
];

describe("limits in seconds", () => {
  it("end no test, no hook and no wait of any suite", async () => {
    const vitest = await createVitest("test", { root, watch: false, run: true });
    const found = vitest.projects.map(({ name, config }) => ({
      name,
      limits: [config.testTimeout, config.hookTimeout, config.teardownTimeout, config.expect.poll?.timeout],
    }));
    const { connectTimeout } = vitest.config.browser;
    await vitest.close();
    const limits = [0, 0, LONGEST, LONGEST];
    expect(found.map(({ name }) => name).sort()).toEqual([
      "browser (chromium)",
      "e2e",
      "published",
      "unit",
      "unit-alone",
      "unit-apart",
      "unit-mocks",
      "unit-platform",
    ]);
    for (const project of found) expect(project).toEqual({ name: project.name, limits });
    expect(connectTimeout).toBe(LONGEST);
  });

  it("stand in no test", () => {
    const files = readdirSync(path.join(root, "tests"), { recursive: true, encoding: "utf8" });
    const found = files
      .filter((name) => /\.tsx?$/.test(name) && name !== path.join("repo", "noLimits.test.ts"))
      .flatMap((name) =>
        readFileSync(path.join(root, "tests", name), "utf8")
          .split("\n")
          .flatMap((line, i) =>
            LIMITS.some((limit) => limit.test(line)) ? [`${name}:${i + 1} ${line.trim()}`] : [],
          ),
      );
    expect(found).toEqual([]);
  });
});
