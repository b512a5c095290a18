/** The only place that decides how the programs of host-stepped environments are run. */

import { sharedDevice } from "../../../kernels/devices.ts";
import type { Values } from "../../../kernels/functions.ts";
import type { Binding, Program } from "../../../kernels/index.ts";

/** A program bound to concrete sizes, with its own buffers. */
export interface RunnableProgram {
  /** Copies numbers into a state of the program.
   * @throws RangeError when the state does not exist or the numbers do not fit it. */
  write(name: string, values: ArrayLike<number>): void;
  /** Returns a copy of a state. Elements of a bool state are 0 or nonzero. */
  read(name: string): Values;
  run(): void;
  /** Releases the program's buffers. */
  release(): void;
}

/** Prepares a program to run with its dimension symbols bound. */
export type PrepareProgram = (program: Program, binding: Binding) => RunnableProgram;

/** Runs programs as WebAssembly in the calling thread.
 * @throws Error when WebAssembly SIMD is not available. */
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
