/** Random programs whole: traced from a recipe, with contents for their states. */
import {
  evalDim,
  grad,
  type Program,
  programText,
  sizeOf,
  state,
  trace,
} from "../../../src/kernels/index.ts";
import { numbers } from "./numbers.ts";
import { type Flavour, ProgramBuilder } from "./programBuilder.ts";
import { dimsOf, type ProgramRecipe, statesOf } from "./recipes.ts";

/** The program of a recipe; its outputs are states `out0`, `out1`, ... */
export function buildProgram(recipe: ProgramRecipe): Program {
  return trace("random", () => {
    const builder = new ProgramBuilder(recipe, "exact");
    builder.start();
    builder.run(recipe.instructions);
    builder.finish(recipe.outputs);
  });
}

/** A smooth program that writes its scalar loss to `loss`, and, when asked, gradients to `grad.<input>`. */
export function buildSmoothProgram(recipe: ProgramRecipe, withGradients: boolean): Program {
  return trace("smooth", () => {
    const states = statesOf(dimsOf(recipe));
    const inputs = states.map(({ name, shape }) => state(name, shape).read());
    const builder = new ProgramBuilder(recipe, "smooth");
    builder.adopt(inputs);
    builder.run(recipe.instructions);
    const loss = builder.loss(recipe.outputs);
    state("loss").write(loss);
    if (!withGradients) return;
    grad(loss, inputs).forEach((g, i) => {
      const { name, shape } = states[i] as (typeof states)[number];
      state(`grad.${name}`, shape).write(g);
    });
  });
}

/** Contents for the states of a random program: small integers, or reals for the smooth flavour. */
export function initialValues(recipe: ProgramRecipe, flavour: Flavour): Record<string, number[]> {
  const { binding, seed } = recipe;
  const next = numbers(seed);
  const result: Record<string, number[]> = {};
  for (const { name, shape } of statesOf(dimsOf(recipe))) {
    const size = evalDim(sizeOf(shape), binding);
    result[name] = Array.from({ length: size }, () =>
      flavour === "smooth" ? 2 * next() - 1 : Math.floor(next() * 17) - 8,
    );
  }
  const a = binding.A;
  result.mask = Array.from({ length: a }, () => Math.floor(next() * 2));
  result.places = Array.from({ length: a }, () => Math.floor(next() * a));
  result.count = [Math.floor(next() * 5)];
  return result;
}

/** What a failing recipe looks like, for the report of a failed property. */
export const describeProgram = (recipe: ProgramRecipe): string =>
  `A=${recipe.binding.A} B=${recipe.binding.B} seed=${recipe.seed}\n${programText(buildProgram(recipe))}`;
