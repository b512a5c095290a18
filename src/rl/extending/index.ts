/** What users' modules get for algorithms, environments and kinds of networks. */
export * as algorithm from "./algorithm.ts";
export * as environment from "./environment.ts";
export * as network from "./network.ts";
