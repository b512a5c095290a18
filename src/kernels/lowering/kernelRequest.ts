/** How an operation asks a target for a kernel: a function and where its arguments come from. */
import type { Dim } from "../dim.ts";
import type { Tensor } from "../tensor.ts";

/** An argument of a kernel, always an i32 at run time: a size, or an address (bytes on wasm, words in WGSL). */
export type KernelArg =
  | { readonly kind: "input"; readonly index: number }
  | { readonly kind: "output" }
  | { readonly kind: "scratch"; readonly size: Dim }
  | { readonly kind: "dim"; readonly dim: Dim }
  | { readonly kind: "state"; readonly name: string }
  | { readonly kind: "staged"; readonly index: number; readonly rows: Dim; readonly columns: Dim };

/** `Body` is the target's code of one kernel. */
export interface KernelRequest<Body> {
  readonly node: Tensor;
  /** Adds a call. `build` writes the kernel the first time its `name` is asked for: a name is one code. */
  call(name: string, args: readonly KernelArg[], build: () => Body): void;
  /** The same for work that depends on input `from` alone: it is done before all loops that leave the input as it is. */
  prepare(from: number, name: string, args: readonly KernelArg[], build: () => Body): void;
  /** Whether an input stays as it is while a loop runs that the operation is in: then it may be an argument "staged". */
  isStageable(index: number): boolean;
}

export const input = (index: number): KernelArg => ({ kind: "input", index });
export const output: KernelArg = { kind: "output" };
export const dimArg = (dim: Dim): KernelArg => ({ kind: "dim", dim });
export const scratch = (size: Dim): KernelArg => ({ kind: "scratch", size });

/** A matrix among the inputs, from faster memory if the target has room there. */
export const stagedArg = (index: number, { shape }: Tensor): KernelArg => {
  const [rows, columns] = shape as [Dim, Dim];
  return { kind: "staged", index, rows, columns };
};
