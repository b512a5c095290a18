/** Single steps of MuJoCo's tasks against steps recorded from Gymnasium (scripts/mujoco/record_rows.py). */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { loadEnvironment, make } from "../../../../../src/rl/environments.ts";

const Recorded = z.array(
  z.object({
    id: z.string(),
    options: z.record(z.string(), z.unknown()),
    rows: z.array(
      z.tuple([z.array(z.number()), z.array(z.number()), z.array(z.number()), z.number(), z.boolean()]),
    ),
  }),
);

const recorded = Recorded.parse(
  JSON.parse(readFileSync(new URL("steps.json", import.meta.url), "utf8")) as unknown,
);

/** Largest difference over 1 + |expected|. */
const error = (found: ArrayLike<number>, expected: readonly number[]): number =>
  Math.max(...expected.map((value, i) => Math.abs((found[i] ?? NaN) - value) / (1 + Math.abs(value))));

beforeAll(async () => {
  for (const { id } of recorded) await loadEnvironment(id);
});

describe("a step from a recorded state is Gymnasium's", () => {
  it.each(recorded.map((one) => [`${one.id} ${JSON.stringify(one.options)}`, one] as const))(
    "%s",
    (_, one) => {
      const env = make(one.id, one.options);
      const bar = one.id.startsWith("HumanoidStandup") ? 1e-4 : 1e-5;
      for (const [state, action, observation, reward, terminated] of one.rows) {
        env.setState(state);
        const found = env.step(action);
        expect(found.observation).toHaveLength(observation.length);
        expect(error(found.observation, observation)).toBeLessThan(bar);
        expect(error([found.reward], [reward])).toBeLessThan(bar);
        expect(found.terminated).toBe(terminated);
      }
      env.close();
    },
  );

  it("has rows that end episodes, in every task that ends them", () => {
    const ending = recorded.filter(({ rows }) => rows.some(([, , , , terminated]) => terminated));
    expect(new Set(ending.map(({ id }) => id.replace(/-v5$/, "")))).toEqual(
      new Set(["InvertedPendulum", "InvertedDoublePendulum", "Hopper", "Walker2d", "Ant", "Humanoid"]),
    );
  });
});
