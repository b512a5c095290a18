import { create } from "zustand";
import type { KeptModel } from "../../workers/protocol.ts";
import type { Connection } from "../client/Connection.ts";

/** The folders of models that this browser keeps; null until they are read. */
export const useKeptModels = create<{ readonly models: readonly KeptModel[] | null }>(() => ({
  models: null,
}));

export async function readKeptModels(coordinator: Connection["coordinator"]): Promise<void> {
  useKeptModels.setState({ models: await coordinator.listModels() });
}
