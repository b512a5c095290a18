/** The one place that decides what runs the programs of environments stepped by the host. */
import type { Binding, Program } from "../../../kernels/index.ts";
import type { Values } from "../../../kernels/op.ts";
import { sharedDevice } from "../../../kernels/wasm/sharedDevice.ts";

/** A program bound to concrete sizes, with buffers of its own. */
export interface RunnableProgram {
  /** Copies numbers into a state of the program.
   * @throws RangeError when there is no such state or they do not fit. */
  write(name: string, values: ArrayLike<number>): void;
  /** A copy of a state; of a bool state each element is 0 or not 0. */
  read(name: string): Values;
  run(): void;
  /** Gives its buffers back. */
  release(): void;
}

/** Prepares a program to run with its dimension symbols bound. */
export type PrepareProgram = (program: Program, binding: Binding) => RunnableProgram;

/** Runs programs as WebAssembly in the calling thread.
 * @throws Error where WebAssembly SIMD is missing. */
export const prepareProgram: PrepareProgram = (program, binding) => {
  const device = sharedDevice();
  const arena = device.arena(program.states.values(), binding);
  const bound = device.compile(program).bind(arena);
  return {
    write: (name, values) => arena.write(name, values),
    read: (name) => arena.read(name),
    run: () => bound.run(),
    release: () => {
      bound.release();
      arena.release();
    },
  };
};
