/** Runs a module's program in the reference evaluator. */

import { definitionOf, type Parameters } from "../../../src/agents/index.ts";
import { type TensorSpec, tensorDims } from "../../../src/evolution/members.ts";
import { Random } from "../../../src/evolution/random.ts";
import { state } from "../../../src/kernels/functions.ts";
import { type Program, trace } from "../../../src/kernels/index.ts";
import type { EvolvableModule, ModuleData } from "../../../src/rl/networks.ts";
import { runOnReference } from "../../kernels/support/run.ts";

export const tensorsOf = (data: ModuleData): TensorSpec[] => definitionOf(data).tensors(data, "", {});

/** The module's parameters as states of the program being traced. */
export const moduleStates = (data: ModuleData): Parameters =>
  Object.fromEntries(
    tensorsOf(data).map((spec) => [
      spec.name,
      state(
        `w.${spec.name}`,
        tensorDims(spec, (s) => s),
      ).read(),
    ]),
  );

/** x [batch, inputs] -> y [batch, outputs]. */
export const moduleProgram = (data: ModuleData, batch: number): Program =>
  trace("module", () => {
    const x = state("x", [batch, data.inputs]).read();
    state("y", [batch, data.outputs]).write(definitionOf(data).forward(data, "", moduleStates(data), x));
  });

export const moduleInputs = (data: ModuleData, batch: number, seed = 5): Float32Array => {
  const random = new Random({ seed });
  return Float32Array.from({ length: batch * data.inputs }, () => random.normal());
};

/** Outputs in f64. */
export function runModule(module: EvolvableModule, x: Float32Array): readonly number[] {
  const { data } = module;
  const weights = Object.entries(module.parameters()).map(([name, values]) => [`w.${name}`, values]);
  return runOnReference(
    moduleProgram(data, x.length / data.inputs),
    definitionOf(data).widths(data, ""),
    { x, ...Object.fromEntries(weights) },
    { precision: "f64" },
  ).y as readonly number[];
}

/** Perturbs all weights slightly, so that none is at its initial value. */
export function shake(module: EvolvableModule, seed = 12): void {
  const random = new Random({ seed });
  for (const values of Object.values(module.parameters()))
    for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) + 0.2 * random.normal();
}
