/** The API for user modules, as passed to their `register` function. */

/** Describes the fields of algorithms, networks and workloads. */
export { z } from "zod";
export * as kernels from "../kernels/index.ts";
export * as algorithm from "./algorithm.ts";
export * as environment from "./environment.ts";
export * as network from "./network.ts";
export * as workload from "./workload.ts";
