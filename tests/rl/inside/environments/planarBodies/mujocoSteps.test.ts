/**
 * One step of each compiled body against MuJoCo 3.14 (`@mujoco/mujoco`), from the same state under the same action.
 * `mujocoSteps.csv` was recorded with Gymnasium's models of HalfCheetah-v5, Hopper-v5 and Walker2d-v5, without warm
 * start: states of random play, those with the most constraints among them, and states of trained policies.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type CompiledEnvironment, findCompiledEnvironment } from "../../../../../src/rl/environments.ts";
import { type LaneStep, stepLanes } from "../stepLanes.ts";

interface Recorded extends LaneStep {
  readonly id: string;
  readonly kind: string;
  readonly action: readonly number[];
  readonly next: readonly number[];
}

const numbers = (text = ""): number[] => text.split(" ").map(Number);

const recorded = readFileSync(new URL("mujocoSteps.csv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"))
  .map((line): Recorded => {
    const [id = "", kind = "", state, action, next] = line.split(",");
    return { id, kind, state: numbers(state), action: numbers(action), next: numbers(next) };
  });

/** Gymnasium's rewards and ends, from the states before and after a step. */
const TASKS: Readonly<
  Record<string, { dt: number; cost: number; healthy: ((s: readonly number[]) => boolean) | null }>
> = {
  "rlkit/HalfCheetah-v0": { dt: 0.05, cost: 0.1, healthy: null },
  "rlkit/Hopper-v0": {
    dt: 0.008,
    cost: 0.001,
    healthy: ([, z = 0, angle = 0, ...others]) =>
      z > 0.7 && Math.abs(angle) < 0.2 && others.every((value) => Math.abs(value) < 100),
  },
  "rlkit/Walker2d-v0": {
    dt: 0.008,
    cost: 0.001,
    healthy: ([, z = 0, angle = 0]) => z > 0.8 && z < 2 && Math.abs(angle) < 1,
  },
};

const of = (env: CompiledEnvironment, kind: string) =>
  recorded.filter((row) => row.id === env.id && row.kind === kind);

describe.each(Object.entries(TASKS))("a step of %s", (id, { dt, cost, healthy }) => {
  const env = findCompiledEnvironment(id);
  const rows = recorded.filter((row) => row.id === id);
  const steps = stepLanes(env, rows);

  it("ends where MuJoCo's does", () => {
    expect(of(env, "random").length).toBeGreaterThanOrEqual(40);
    for (const [lane, { next }] of rows.entries())
      for (const [i, value] of next.entries())
        expect(Math.abs((steps[lane]?.state[i] as number) - value) / (1 + Math.abs(value))).toBeLessThan(
          1e-3,
        );
  });

  it("earns the speed, less the cost of its action, and ends when the body is unhealthy", () => {
    for (const [lane, { state, action, next }] of rows.entries()) {
      const clipped = action.map((value) => Math.max(-1, Math.min(1, value)));
      const fit = healthy?.(next) ?? false;
      const speed = ((next[0] as number) - (state[0] as number)) / dt;
      const reward = speed - cost * clipped.reduce((sum, a) => sum + a * a, 0) + (fit ? 1 : 0);
      expect(Math.abs((steps[lane]?.reward as number) - reward)).toBeLessThan(1e-3 * (1 + Math.abs(reward)));
      expect(steps[lane]?.terminated).toBe(healthy !== null && !fit);
    }
  });
});
