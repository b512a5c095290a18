// @apart: it registers what the library does not have.
import { describe, expect, it } from "vitest";
import { registerEnvironment, stateSize } from "../../../../src/agents/index.ts";
import {
  add,
  cast,
  floor,
  greaterEqual,
  mul,
  reshape,
  stackColumns,
  sum,
  zeros,
} from "../../../../src/kernels/index.ts";
import { type CompiledEnvironment, make, makeVector } from "../../../../src/rl/environments.ts";
import { Box, Discrete } from "../../../../src/rl/spaces.ts";

/** Each step adds two dice to a 2 x 2 table of column sums. An episode ends when the sums exceed 20. */
const Dice: CompiledEnvironment = {
  id: "test/Dice-v0",
  observation_space: new Box({ low: 0, high: 100, shape: [2, 2] }),
  action_space: new Discrete(2),
  max_episode_steps: 50,
  reward_threshold: null,
  variables: ["table", "throws"],
  variableShapes: { table: [2, 2] },
  resetDraws: 0,
  stepDraws: 5,
  reset: (_draws, num_envs) => ({ table: zeros([num_envs, 2, 2]), throws: zeros([num_envs]) }),
  observe: ({ table }) => table as NonNullable<typeof table>,
  step: ({ table, throws }, _action, draws) => {
    if (!table || !throws) throw new TypeError("state");
    const n = throws.shape[0] as (typeof throws.shape)[number];
    const dice = draws.slice(1).map((draw) => floor(mul(draw, 6)));
    const next = add(table, reshape(stackColumns(dice), [n, 2, 2]));
    const total = sum(sum(next));
    return {
      state: { table: next, throws: add(throws, 1) },
      reward: cast(greaterEqual(total, 20), "f32"),
      terminated: greaterEqual(total, 20),
    };
  },
};
registerEnvironment(Dice);

describe("environments with tables and random steps", () => {
  it("steps alone as in a vector, seed by seed, through ends and resets", () => {
    expect(stateSize(Dice)).toBe(5);
    const vector = makeVector(Dice.id, 3);
    let seen = vector.reset({ seed: 5 }).observation;
    const lanes = [0, 1, 2].map(() => make(Dice.id));
    lanes.forEach((env, lane) => env.reset({ seed: 5 + lane }));
    let ends = 0;
    for (let t = 0; t < 40; t++) {
      expect([...seen.slice(0, 4)]).toEqual([...(lanes[0]?.getState().slice(0, 4) ?? [])]);
      const together = vector.step([0, 0, 0]);
      lanes.forEach((env, lane) => {
        const alone = env.step(0);
        expect([...together.final_observation.slice(4 * lane, 4 * lane + 4)]).toEqual([...alone.observation]);
        expect(together.terminated[lane] === 1).toBe(alone.terminated);
        if (!alone.terminated) return;
        ends++;
        env.reset();
        expect([...together.observation.slice(4 * lane, 4 * lane + 4)]).toEqual([0, 0, 0, 0]);
      });
      seen = together.observation;
    }
    expect(ends).toBeGreaterThan(5);
  });

  it("throws other dice for other seeds and other steps", () => {
    const env = make(Dice.id);
    env.reset({ seed: 1 });
    const first = env.step(0).observation;
    const second = env.step(0).observation;
    expect([...second].map((x, i) => x - (first[i] as number))).not.toEqual([...first]);
    env.reset({ seed: 2 });
    expect([...env.step(0).observation]).not.toEqual([...first]);
    env.reset({ seed: 1 });
    expect([...env.step(0).observation]).toEqual([...first]);
  });

  it("takes and gives its whole state", () => {
    const env = make(Dice.id);
    env.reset({ seed: 1 });
    env.setState([1, 2, 3, 4, 7]);
    const { observation } = env.step(0);
    expect(observation.every((x, i) => x >= i + 1 && x <= i + 6)).toBe(true);
    expect(env.getState()[4]).toBe(8);
    expect(() => env.setState([1])).toThrow(
      "test/Dice-v0: state: found [1], allowed 5 finite numbers (table, throws)",
    );
  });
});
