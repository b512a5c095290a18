/** The contract between the UI thread and the coordinator worker (over comlink). All data is plain. */
export type { HistoryColumns } from "../tracking/clients.ts";
export { MUTATION_KINDS } from "../tracking/history.ts";
export type { SteeringAction } from "../training/loop.ts";
export * from "./protocol/calls.ts";
export * from "./protocol/runs.ts";
export type * from "./protocol/stored.ts";
