/** A worker in the process of the test. */
import type { ArtifactStore } from "../../../platform/src/artifacts/ArtifactStore.ts";
import { DirectoryArtifacts } from "../../../platform/src/artifacts/DirectoryArtifacts.ts";
import { directoryTurns } from "../../../platform/src/artifacts/turnStores.ts";
import { Database } from "../../../platform/src/database/Database.ts";
import { artifactsDirectory } from "../../../platform/src/server/PlatformServer.ts";
import type * as SupervisorModule from "../../../platform/src/worker/Supervisor.ts";
import { memoryFileStore } from "../../../src/storage/index.ts";
import { nodeFileStore } from "../../../src/storage/node/index.ts";
import { compiled } from "../../support/compileSources.ts";
import type { TestPlatform } from "./platform.ts";

/** Threads of compiled sources start in a fraction of the time. */
const { Supervisor } = (await import(
  compiled("platform/src/worker/Supervisor.ts")
)) as typeof SupervisorModule;

/** The platform's own artifacts. */
export const artifactsOf = ({ directory }: TestPlatform): DirectoryArtifacts =>
  new DirectoryArtifacts(nodeFileStore(), artifactsDirectory(directory));

/** Does `work` while a worker with two threads runs. */
export async function withSupervisor(
  platform: TestPlatform,
  work: () => Promise<void>,
  artifacts: ArtifactStore = artifactsOf(platform),
): Promise<void> {
  const log = (): void => undefined;
  const database = new Database({ url: platform.postgres.url, log });
  const supervisor = await Supervisor.start({
    database,
    artifacts,
    turns: directoryTurns(platform.directory),
    files: memoryFileStore(),
    log,
    cores: 2,
  });
  try {
    await work();
  } finally {
    await supervisor.close();
    await database.close();
  }
}
