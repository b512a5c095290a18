/** Where attempts at runs keep what their machines pass to each other. */
import path from "node:path";
import { nodeFileStore } from "../../../src/storage/node/index.ts";
import { type Attempt, attemptName } from "../nodes/turnJob.ts";
import { DirectoryArtifacts } from "./DirectoryArtifacts.ts";
import { HttpArtifacts, type HttpArtifactsOptions } from "./HttpArtifacts.ts";
import type { TurnStores } from "./TurnStore.ts";

/** The directory of attempts in a data directory: one for each. */
export const turnsDirectory = (directory: string): string => path.join(directory, "turns");

/** In a data directory. */
export const directoryTurns =
  (directory: string) =>
  (attempt: Attempt): DirectoryArtifacts =>
    new DirectoryArtifacts(nodeFileStore(), path.join(turnsDirectory(directory), attemptName(attempt)));

/** At the platform's server, for workers on other machines. */
export const httpTurns =
  (options: HttpArtifactsOptions): TurnStores =>
  ({ run, attempt }) =>
    new HttpArtifacts({ ...options, path: `/v1/runs/${run}/attempts/${attempt}/artifacts` });
