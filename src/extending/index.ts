/** All that modules of a caller's own are written with, as their `register` function is given it. */
export * as kernels from "../kernels/index.ts";
export * as algorithm from "./algorithm.ts";
export * as environment from "./environment.ts";
export * as network from "./network.ts";
export * as workload from "./workload.ts";
