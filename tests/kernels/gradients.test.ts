/** Gradient rules against central finite differences, both in f64 on the reference evaluator. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { functionCases, secondOrderCases } from "./support/functionCases.ts";
import { operationCases } from "./support/operationCases.ts";
import { operationProgram, operationValues, type Sizes, symbolic } from "./support/operationProgram.ts";
import { buildSmoothProgram, initialValues } from "./support/randomProgram.ts";
import { dimsOf, programRecipes, statesOf } from "./support/recipes.ts";
import { runOnReference } from "./support/run.ts";
import { expectSlope, slope } from "./support/slopes.ts";

const small = fc.integer({ min: 1, max: 5 });
const sizes: fc.Arbitrary<Sizes> = fc.record({ a: small, b: small, c: small });

describe("gradients of operations", () => {
  const smooth = [...operationCases, ...functionCases, ...secondOrderCases].filter(
    (c) => c.smooth && c.inputs.length > 0,
  );
  it.each(smooth.map((operation) => [operation.name, operation] as const))("%s", (_name, operation) => {
    const made = operationProgram(operation, symbolic, true);
    const forward = operationProgram(operation, symbolic, false).program;
    fc.assert(
      fc.property(sizes, fc.nat(1000), (chosen, seed) => {
        const binding = { ...chosen };
        const values = operationValues(operation, made, symbolic, binding, seed);
        const after = runOnReference(made.program, binding, values, { precision: "f64" });
        for (const name of made.differentiated) {
          const gradient = after[`grad.${name}`] ?? [];
          expect(gradient.length).toBe(values[name]?.length);
          const every = Math.ceil(gradient.length / 5);
          for (let i = seed % every; i < gradient.length; i += every)
            expectSlope(
              gradient[i],
              slope(forward, binding, values, name, i),
              `${operation.name} ${name}[${i}]`,
            );
        }
      }),
      { numRuns: 5, seed: 3 },
    );
  });
});

describe("gradients of random programs", () => {
  it("are the slopes of the loss, through scans in scans", () => {
    let [nonZero, all] = [0, 0];
    fc.assert(
      fc.property(programRecipes, (recipe) => {
        const initial = initialValues(recipe, "smooth");
        const forward = buildSmoothProgram(recipe, false);
        const binding = { ...recipe.binding };
        const after = runOnReference(buildSmoothProgram(recipe, true), binding, initial, {
          precision: "f64",
        });
        statesOf(dimsOf(recipe)).forEach(({ name }, i) => {
          const element = (recipe.seed + i) % (initial[name]?.length ?? 1);
          const found = after[`grad.${name}`]?.[element];
          expectSlope(found, slope(forward, binding, initial, name, element), `${name}[${element}]`);
          all++;
          if (found !== 0) nonZero++;
        });
      }),
      { numRuns: 150, seed: 4 },
    );
    // Most programs use two or three of the nine inputs.
    expect(nonZero / all).toBeGreaterThan(0.15);
  });
});
