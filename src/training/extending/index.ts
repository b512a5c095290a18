/** Type the function `register` of a module, which receives these parts as its argument (docs/extending/README.md). */

/** Describes the fields of algorithms, networks and workloads. */
export { z } from "zod";
export { algorithm, environment, network } from "../../agents/extending/index.ts";
export * as kernels from "../../kernels/index.ts";
export * as workload from "./workload.ts";
