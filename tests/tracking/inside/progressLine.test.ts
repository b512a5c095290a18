import { describe, expect, it } from "vitest";
import { progressLine } from "../../../src/tracking/consoleObserver.ts";

const half = { steps: 500, total: 1000, elapsed: 10, rate: 50 };

describe("progressLine", () => {
  it("says how far the run is, how long it took and how long it will take", () => {
    const parts = progressLine(half, 120).split(" │ ");
    expect(parts[0]).toBe("Training Progress");
    expect(parts[1]).toBe(" 50%");
    expect(parts[2]).toMatch(/^(█+)(░+)$/);
    expect(parts.slice(3)).toEqual(["500/1_000 steps", "0:10", "0:10", "50 steps/s"]);
    const bar = parts[2] ?? "";
    expect(bar.split("█").length).toBe(bar.split("░").length);
  });

  it("never shows more than the whole, nor 100% before the end", () => {
    expect(progressLine({ ...half, steps: 1200 }, 120)).toMatch(/100% .* 1_200\/1_200 steps/);
    expect(progressLine({ ...half, steps: 999 }, 120)).toContain(" 99%");
  });

  it("has no share while nobody knows the total", () => {
    const line = progressLine({ ...half, total: 0 }, 120);
    expect(line).not.toContain("%");
    expect(line).toContain("500 steps");
  });

  it("fits any width", () => {
    for (let columns = 1; columns <= 140; columns++) {
      for (const progress of [half, { ...half, total: 0 }, { ...half, steps: 0, rate: 0 }]) {
        expect(progressLine(progress, columns).length).toBeLessThanOrEqual(columns);
      }
    }
  });
});
