import { create } from "zustand";
import type { KeptEnvironment, KeptModel } from "../../workers/protocol.ts";
import type { Connection } from "../client/Connection.ts";

/** The user's environments stored in this browser; null until read. */
export const useKeptEnvironments = create<{ readonly environments: readonly KeptEnvironment[] | null }>(
  () => ({ environments: null }),
);

export async function readKeptEnvironments(coordinator: Connection["coordinator"]): Promise<void> {
  useKeptEnvironments.setState({ environments: await coordinator.listEnvironments() });
}

/** The language models stored in this browser; null until read. */
export const useKeptModels = create<{ readonly models: readonly KeptModel[] | null }>(() => ({
  models: null,
}));

export async function readKeptModels(coordinator: Connection["coordinator"]): Promise<void> {
  useKeptModels.setState({ models: await coordinator.listModels() });
}
