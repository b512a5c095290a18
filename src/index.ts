/** rlkit: trains and evolves populations of reinforcement-learning agents, in Node and in browsers. */
export * from "./evolution/index.ts";
export * from "./rl/index.ts";
export * from "./specs/index.ts";
// Names that two folders have: the public one.
export { NO_MUTATION } from "./specs/index.ts";
export * from "./training/index.ts";
export { loadAgent } from "./training/index.ts";
// Brings in the worker pool that `Accelerator({ workers })` uses.
export { WorkerExecutor } from "./workers/index.ts";
