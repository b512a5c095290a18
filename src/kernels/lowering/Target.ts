import type { KernelForms } from "./kernelRequest.ts";

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
