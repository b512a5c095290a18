import { create } from "zustand";
import type { KeptEnvironment } from "../../workers/protocol.ts";
import type { Connection } from "../client/Connection.ts";

/** The user's environments stored in this browser; null until read. */
export const useKeptEnvironments = create<{ readonly environments: readonly KeptEnvironment[] | null }>(
  () => ({ environments: null }),
);

export async function readKeptEnvironments(coordinator: Connection["coordinator"]): Promise<void> {
  useKeptEnvironments.setState({ environments: await coordinator.listEnvironments() });
}
