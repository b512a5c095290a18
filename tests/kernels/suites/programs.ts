/** Random programs on a device against the reference evaluator: scheduling, fusion, memory, scans. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Device, Program } from "../../../src/kernels/index.ts";
import { comparedShaders } from "../support/comparedShaders.ts";
import type { TestDevice } from "../support/devices.ts";
import {
  buildProgram,
  buildSmoothProgram,
  describeProgram,
  initialValues,
} from "../support/randomProgram.ts";
import { type ProgramRecipe, programRecipes } from "../support/recipes.ts";
import { type Buffers, runOnDevice, runOnReference } from "../support/run.ts";

const sameBuffers = (a: Buffers, b: Buffers): boolean =>
  Object.entries(a).every(([name, values]) => values.every((v, i) => Object.is(v, b[name]?.[i])));

/** -0 and 0 count as equal: a maximum may return either. */
const withoutSignedZero = (buffers: Buffers): Buffers =>
  Object.fromEntries(Object.entries(buffers).map(([name, values]) => [name, values.map((v) => v + 0)]));

export function programSuite({ name, create, share }: TestDevice): void {
  describe(`random programs on ${name}`, () => {
    let device: Device;
    beforeAll(async () => {
      device = await create();
    });
    afterAll(() => device.close());

    /** Two runs in a row, so that the second starts from what the first wrote. */
    const expectEqual = async (recipe: ProgramRecipe): Promise<void> => {
      const program = buildProgram(recipe);
      const initial = initialValues(recipe, "exact");
      const run = (precision: "f32" | "f64") =>
        withoutSignedZero(runOnReference(program, recipe.binding, initial, { times: 2, precision }));
      const expected = run("f32");
      // Where a gradient has left the integers that f32 holds exactly, the order of additions may show.
      if (!sameBuffers(expected, run("f64"))) return;
      const found = withoutSignedZero(
        await runOnDevice(device, program, recipe.binding, initial, { times: 2 }),
      );
      if (!sameBuffers(found, expected)) expect(found, `${describeProgram(recipe)}`).toEqual(expected);
    };

    const assertOnce = comparedShaders(import.meta.url);
    /** Of random programs; on SwiftShader, of those that are not known to pass. */
    const assertAll = async (
      title: string,
      build: (recipe: ProgramRecipe) => Program,
      compare: (recipe: ProgramRecipe) => Promise<void>,
      options: fc.Parameters<[ProgramRecipe]>,
    ): Promise<void> => {
      const each = (visit: typeof compare) => fc.assert(fc.asyncProperty(programRecipes, visit), options);
      if (share === 1) return each(compare);
      const programs: Program[] = [];
      await each(async (recipe) => void programs.push(build(recipe)));
      await assertOnce(title, programs, () => each(compare));
    };

    it("gives the bits of the reference evaluator for programs of every kind", () =>
      assertAll("bits", buildProgram, expectEqual, { numRuns: Math.ceil(700 * share), seed: 20_260 }));

    it("agrees on differentiable programs and their gradients", async () => {
      await assertAll(
        "gradients",
        (recipe) => buildSmoothProgram(recipe, true),
        async (recipe) => {
          const program = buildSmoothProgram(recipe, true);
          const initial = initialValues(recipe, "smooth");
          const expected = runOnReference(program, recipe.binding, initial);
          const found = await runOnDevice(device, program, recipe.binding, initial);
          for (const [buffer, values] of Object.entries(expected)) {
            values.forEach((v, i) => {
              const error = Math.abs((found[buffer]?.[i] ?? Number.NaN) - v);
              expect(error, `${buffer}[${i}] = ${v}`).toBeLessThanOrEqual(1e-3 * Math.max(1, Math.abs(v)));
            });
          }
        },
        { numRuns: Math.ceil(60 * share), seed: 31 },
      );
    });
  });
}
