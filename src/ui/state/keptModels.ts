import { create } from "zustand";
import type { KeptModel } from "../../workers/protocol.ts";
import type { Connection } from "../client/Connection.ts";

/** The language models stored in this browser; null until read. */
export const useKeptModels = create<{ readonly models: readonly KeptModel[] | null }>(() => ({
  models: null,
}));

export async function readKeptModels(coordinator: Connection["coordinator"]): Promise<void> {
  useKeptModels.setState({ models: await coordinator.listModels() });
}
