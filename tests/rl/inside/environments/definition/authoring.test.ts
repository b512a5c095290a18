/** Building blocks for authors of environments. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrozenLake, randomEnvironment, Taxi } from "../../../../../src/agents/index.ts";
import { state, sym, type Tensor, trace } from "../../../../../src/kernels/index.ts";
import { drawInteger, pick } from "../../../../../src/rl/environments/dynamics/numbers.ts";
import { prepareProgram } from "../../../../../src/rl/environments.ts";

const lanes = sym("num_envs");

/** Values of a function, which gets one number per lane. */
function evaluated(f: (x: Tensor) => Tensor, numbers: readonly number[]): number[] {
  const program = trace("evaluated", () => {
    state("y", [lanes]).write(f(state("x", [lanes]).read()));
  });
  const run = prepareProgram(program, { num_envs: numbers.length });
  run.write("x", numbers);
  run.run();
  const found = Array.from(run.read("y"));
  run.release();
  return found;
}

describe("drawInteger", () => {
  it("stays below its count for the largest draw, and gives every number its share", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), (count) => {
        const middles = [0, Math.floor(count / 2), count - 1];
        const draws = [0, 1 - 2 ** -24, ...middles.map((i) => (i + 0.5) / count)];
        expect(evaluated((draw) => drawInteger(draw, count), draws)).toEqual([0, count - 1, ...middles]);
      }),
      { numRuns: 60 },
    );
  });
});

describe("pick", () => {
  it("is the table's entry, and the last one beyond it", () => {
    const table = [3, -1, 3, 7, 7];
    expect(evaluated((index) => pick(index, table), [0, 1, 2, 3, 4, 5, -1])).toEqual([3, -1, 3, 7, 7, 7, 7]);
  });

  it("refuses an empty table", () => {
    expect(() => evaluated((index) => pick(index, []), [0])).toThrow(
      "pick: found an empty table, allowed one or more numbers",
    );
  });
});

describe("randomEnvironment", () => {
  const inside = (body: () => unknown) => () =>
    trace("wrong", () => {
      body();
    });

  it("counts the draws of resets and steps", () => {
    expect(inside(() => Taxi.reset([], lanes))).toThrow("Taxi-v3: reset: found 0 draws, allowed 4");
    const start = () => FrozenLake.reset([], lanes);
    const action = () => state("action", [lanes], { dtype: "i32" }).read();
    expect(inside(() => FrozenLake.step(start(), action(), []))).toThrow(
      "FrozenLake-v1: step: found 0 draws, allowed 1",
    );
  });

  it("names the variable that a state lacks", () => {
    expect(inside(() => Taxi.observe({}))).toThrow(
      'Taxi-v3: state has no variable "row"; it needs row, col, passenger, destination',
    );
  });

  it("keeps the shapes of variables", () => {
    const { variables, variableShapes } = randomEnvironment({
      ...Taxi,
      id: "test/Shapes-v0",
      variables: ["row", "col"],
      variableShapes: { row: [2, 3] },
      reset: () => {
        throw new Error("not reset here");
      },
      step: () => {
        throw new Error("not stepped here");
      },
    });
    expect({ variables, variableShapes }).toEqual({
      variables: ["row", "col"],
      variableShapes: { row: [2, 3] },
    });
  });
});
