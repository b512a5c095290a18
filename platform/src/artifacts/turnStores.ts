/** Turn stores: where attempts at runs keep the artifacts that their machines exchange. */
import path from "node:path";
import { nodeFileStore } from "../../../src/storage/node/index.ts";
import { type Attempt, attemptName } from "../nodes/turnJob.ts";
import type { TurnStores } from "./ArtifactStore.ts";
import { DirectoryArtifacts } from "./DirectoryArtifacts.ts";
import { HttpArtifacts, type HttpArtifactsOptions } from "./HttpArtifacts.ts";

/** The directory, in a data directory, that has one subdirectory per attempt. */
export const turnsDirectory = (directory: string): string => path.join(directory, "turns");

/** Turn stores in a data directory. */
export const directoryTurns =
  (directory: string) =>
  (attempt: Attempt): DirectoryArtifacts =>
    new DirectoryArtifacts(nodeFileStore(), path.join(turnsDirectory(directory), attemptName(attempt)));

/** Turn stores on the platform's server, for workers on other machines. */
export const httpTurns =
  (options: HttpArtifactsOptions): TurnStores =>
  ({ run, attempt }) =>
    new HttpArtifacts({ ...options, path: `/v1/runs/${run}/attempts/${attempt}/artifacts` });
