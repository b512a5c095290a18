/** Door: what pages ask of coordinators and of the worker of data sets. */
export { callsBy, invoke, runIdOf } from "./protocol/callTable.ts";
export * from "./protocol/data.ts";
export * from "./protocol/language.ts";
export * from "./protocol/remote.ts";
export type { RunAbilities } from "./protocol/runs.ts";
export { SpareWorker } from "./tabs/SpareWorker.ts";
