import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { apart, mocking, ownProcess, platform, unitTests } from "../support/unitProcesses.ts";

/** What others that share the process would find. */
const LEFT_BEHIND = /^(?!\s*\*).*\bregister[A-Z]\w*\(/m;

/** Support that registers when it is imported. */
const REGISTERS = /support\/hillClimbing\.ts|laterAlgorithm\.ts|\/fourier\.ts/;

describe("tests that share a process", () => {
  it("leave nothing behind in it", () => {
    const others = [...apart, ...platform, ...mocking, ...ownProcess];
    const shared = unitTests.filter((file) => !others.includes(file));
    expect(shared.length).toBeGreaterThan(100);
    const found = shared.filter((file) => {
      const text = readFileSync(path.join(root, file), "utf8");
      return LEFT_BEHIND.test(text) || REGISTERS.test(text);
    });
    expect(found, "mark these // @apart: WHY").toEqual([]);
  });
});
