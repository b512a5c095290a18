import type { KernelOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import type { KernelRequest } from "./kernelRequest.ts";

/** How kernels are written; `Body` is a target's code of one. */
export interface Target<Body> {
  /** Adds a kernel to the module and returns its index. `build` writes it the first time its name is met. */
  addKernel(name: string, build: () => Body): number;
  /** Has the operation ask for its kernels. */
  ask(op: KernelOp, node: Tensor, request: KernelRequest<Body>): void;
  /** Operands, and stores, that a group may have. */
  readonly mostInGroup: number;
  /** Whether it has faster memory for matrices. */
  readonly stages: boolean;
  /** Kernel with arguments (state, index, rows, count, row length) that writes rows by index. */
  writeRows(): Body;
}
