/** What users' modules get for environments and networks, as passed to their `register` function. */
export * as environment from "./environment.ts";
export * as network from "./network.ts";
