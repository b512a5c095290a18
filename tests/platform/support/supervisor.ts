/** A worker in the test's process. */
import type { ArtifactStore } from "../../../platform/src/artifacts/ArtifactStore.ts";
import type * as Artifacts from "../../../platform/src/artifacts/DirectoryArtifacts.ts";
import type * as Turns from "../../../platform/src/artifacts/turnStores.ts";
import type * as Databases from "../../../platform/src/database/Database.ts";
import { artifactsDirectory } from "../../../platform/src/server/PlatformServer.ts";
import type * as Supervisors from "../../../platform/src/worker/Supervisor.ts";
import type * as Storage from "../../../src/storage/index.ts";
import type * as NodeStorage from "../../../src/storage/node/index.ts";
import { type Bundled, bundled } from "../../support/compiled.ts";
import type { TestPlatform } from "./platform.ts";

/**
 * Bundled threads start in a fraction of the time. The worker's arguments must use the bundle's own classes.
 */
const load = <Module>(source: Bundled): Promise<Module> => import(bundled(source));
const { DirectoryArtifacts } = await load<typeof Artifacts>("platform/src/artifacts/DirectoryArtifacts.ts");
const { directoryTurns } = await load<typeof Turns>("platform/src/artifacts/turnStores.ts");
const { Database } = await load<typeof Databases>("platform/src/database/Database.ts");
const { Supervisor } = await load<typeof Supervisors>("platform/src/worker/Supervisor.ts");
const { memoryFileStore, StorageError } = await load<typeof Storage>("src/storage/index.ts");
const { nodeFileStore } = await load<typeof NodeStorage>("src/storage/node/index.ts");

/** The error of a full disk, as the bundled worker recognises it. */
export const full = (): Error => new StorageError("full", "artifacts", "has no room");

/** The platform's artifact store. */
export const artifactsOf = ({ directory }: TestPlatform): Artifacts.DirectoryArtifacts =>
  new DirectoryArtifacts(nodeFileStore(), artifactsDirectory(directory));

/** Runs `work` while a worker with two threads is running. */
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
