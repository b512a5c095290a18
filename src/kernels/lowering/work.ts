/**
 * Estimates the work of steps, which a device submits in portions. Results never depend on it, so it need
 * only be accurate within a small factor.
 */
import type { Binding, Dim } from "../dim.ts";
import { evalDim, mulDims, sizeOf } from "../dim.ts";
import type { Step, StepArg } from "./schedule.ts";

/** Number of operations that take a workgroup about as long as the barrier and the reads around any step. */
const OPERATIONS_PER_UNIT = 65_536;
/** Weight of an element of a fused loop, which is read from memory and written; products reuse operands. */
const ELEMENT_OPERATIONS = 8;

const sizesIn = (args: readonly StepArg[]): Dim[] => args.flatMap((arg) => ("dim" in arg ? [arg.dim] : []));

/** Operations of each step; a loop whose count is known only at run time counts as one iteration. */
export function operationsOf(steps: readonly Step[]): Dim[] {
  return steps.flatMap((step): Dim[] => {
    switch (step.kind) {
      case "kernel":
        return [mulDims(...sizesIn(step.args))];
      case "group":
        return [mulDims(ELEMENT_OPERATIONS, step.nodes.length, sizeOf(step.space))];
      case "column":
        return [mulDims(ELEMENT_OPERATIONS, step.chain.length + 1, sizeOf(step.node.inputs[0]?.shape ?? []))];
      case "copy":
        return [mulDims(ELEMENT_OPERATIONS, step.words)];
      case "loop": {
        const count = "dim" in step.count ? step.count.dim : 1;
        return operationsOf(step.body).map((operations) => mulDims(count, operations));
      }
    }
  });
}

/** Units of work for one member: one for each step, and more for long ones. */
export const workUnits = (operations: readonly Dim[], binding: Binding): number =>
  operations.reduce<number>(
    (sum, dim) => sum + 1 + Math.floor(Math.max(0, evalDim(dim, binding)) / OPERATIONS_PER_UNIT),
    0,
  );
