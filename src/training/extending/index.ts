/** The API for user modules, as passed to their `register` function. */

/** Describes the fields of algorithms, networks and workloads. */
export { z } from "zod";
export { algorithm, environment, network } from "../../agents/extending/index.ts";
export * as kernels from "../../kernels/index.ts";
export * as workload from "./workload.ts";
