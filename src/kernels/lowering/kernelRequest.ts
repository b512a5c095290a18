/** How an operation with loops of its own requests kernels from a target, and a target's forms of such operations. */
import type { Dim } from "../dim.ts";
import type { KernelName } from "../op.ts";
import type { Tensor } from "../tensor.ts";

/** An argument of a kernel, always an i32 at run time: a size, or an address (bytes on wasm, words in WGSL). */
export type KernelArg =
  | { readonly kind: "input"; readonly index: number }
  | { readonly kind: "output" }
  | { readonly kind: "scratch"; readonly size: Dim }
  | { readonly kind: "dim"; readonly dim: Dim }
  | { readonly kind: "staged"; readonly index: number; readonly rows: Dim; readonly columns: Dim };

/** `Body` is the target's code for one kernel. */
export interface KernelRequest<Body> {
  /** Adds a call. `build` writes the kernel when `name` is first requested; equal names mean equal code. */
  call(name: string, args: readonly KernelArg[], build: () => Body): void;
  /** The same for work that depends only on input `from`: it runs before all loops that do not change it. */
  prepare(from: number, name: string, args: readonly KernelArg[], build: () => Body): void;
  /** Whether an input stays unchanged during a loop around the operation, so that it may be "staged". */
  isStageable(index: number): boolean;
}

/** An operation in a target: requests its kernels, with their arguments. */
export type KernelForm<Body> = (node: Tensor, request: KernelRequest<Body>) => void;

/** A target's forms of all operations with loops of their own. */
export type KernelForms<Body> = Readonly<Record<KernelName, KernelForm<Body>>>;

export const input = (index: number): KernelArg => ({ kind: "input", index });
export const output: KernelArg = { kind: "output" };
export const dimArg = (dim: Dim): KernelArg => ({ kind: "dim", dim });
export const scratch = (size: Dim): KernelArg => ({ kind: "scratch", size });

/** A matrix among the inputs, from faster memory if the target has room there. */
export const stagedArg = (index: number, { shape }: Tensor): KernelArg => {
  const [rows, columns] = shape as [Dim, Dim];
  return { kind: "staged", index, rows, columns };
};

/** How a target writes kernels; `Body` is its code for one kernel. */
export interface Target<Body> {
  /** Adds a kernel to the module and returns its index. `build` is called the first time its name occurs. */
  addKernel(name: string, build: () => Body): number;
  readonly kernels: KernelForms<Body>;
  /** Maximum number of operands, of nodes and of stores in a group. */
  readonly mostInGroup: number;
  /** Whether the target has faster memory for matrices. */
  readonly stages: boolean;
  /** Kernel that writes rows by index; arguments: (state, index, rows, count, row length). */
  writeRows(): Body;
}
