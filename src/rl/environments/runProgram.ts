/** The one place that decides what runs the programs of environments stepped by the host. */
import type { Binding, Program } from "../../kernels/index.ts";
import { evalDim, sizeOf } from "../../kernels/index.ts";
import type { Values } from "../../kernels/op.ts";
import { evaluate } from "../../kernels/reference/evaluate.ts";

/** A program bound to concrete sizes, with buffers of its own. */
export interface RunnableProgram {
  /** Copies numbers into a state of the program.
   * @throws RangeError when there is no such state or the number of values differs. */
  write(name: string, values: ArrayLike<number>): void;
  /** A copy of a state; of a bool state each element is 0 or not 0. */
  read(name: string): Values;
  run(): void;
  /** Gives its buffers back. */
  release(): void;
}

/** Prepares a program to run with its dimension symbols bound. */
export type PrepareProgram = (program: Program, binding: Binding) => RunnableProgram;

/** Runs programs on the reference evaluator in f32. */
export const prepareProgram: PrepareProgram = (program, binding) => {
  const states = new Map<string, Values>();
  for (const { name, shape, dtype } of program.states.values()) {
    const size = evalDim(sizeOf(shape), binding);
    states.set(
      name,
      dtype === "f32"
        ? new Float32Array(size)
        : dtype === "u32"
          ? new Uint32Array(size)
          : new Int32Array(size),
    );
  }
  const find = (name: string): Values => {
    const values = states.get(name);
    if (!values) throw new RangeError(`program ${program.name}: no state "${name}"`);
    return values;
  };
  return {
    run: () => evaluate(program, states, binding),
    write: (name, values) => {
      const state = find(name);
      if (values.length !== state.length)
        throw new RangeError(
          `${program.name}.${name}: found ${values.length} values, allowed ${state.length}`,
        );
      state.set(values);
    },
    read: (name) => find(name).slice(),
    release: () => states.clear(),
  };
};
