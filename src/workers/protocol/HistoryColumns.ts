export type { HistoryColumns } from "../../tracking/clients.ts";
export { MUTATION_KINDS } from "../../tracking/history.ts";
