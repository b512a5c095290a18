/** The module that a manifest's environment is made of. */
import { EnvironmentError } from "../../rl/environments/index.ts";
import { isSandboxEnd } from "../../sandbox/isSandboxEnd.ts";
import { prepareModule, type UserModule } from "../../sandbox/moduleSource.ts";
import { type OpenOptions, openUserEnvironment } from "../../sandbox/openUserEnvironment.ts";
import { isHash, rememberFault, type UserPlace } from "../../sandbox/userEnvironments.ts";
import { dottedPath, SpecError, type TrainingManifest } from "../../specs/index.ts";
import { baseName, type FileStore, StorageError } from "../../storage/index.ts";
import { reasonOf } from "../../storage/storageError.ts";
import { defaultStore } from "../loop/defaultStore.ts";
import type { KeptModule } from "../rl/runState.ts";
import { userPlaceOf } from "./environmentOf.ts";

export interface ModuleOptions extends OpenOptions {
  /** Where the module's file lies; the disk in Node, OPFS in a browser unless given. */
  readonly store?: FileStore | undefined;
  /** The module that a run has kept, which goes on whatever the file is now; null for none. */
  readonly kept?: KeptModule | null;
}

export interface OpenedManifest {
  /** With the module's hash as the environment's version. */
  readonly manifest: TrainingManifest;
  readonly warnings: readonly string[];
}

/**
 * Opens the module that a manifest's environment names, in a sandbox, and validates it: the manifest can be checked and
 * trained from then on. Of other manifests there is nothing to open.
 * @throws SpecError at `environment.path` or `environment.name` for a module that is not there or cannot be used.
 */
export async function openManifestModule(
  manifest: TrainingManifest,
  { store, kept = null, ...options }: ModuleOptions = {},
): Promise<OpenedManifest> {
  const place = userPlaceOf(manifest);
  if (!place) return { manifest, warnings: [] };
  try {
    const { module, warnings } = await moduleOf(place, kept, store);
    await openUserEnvironment(place, module, options);
    const { version } = place;
    const isPinned = isHash(version) || (version ?? null) === null;
    const environment = isPinned ? { ...manifest.environment, version: module.sha256 } : manifest.environment;
    // The section's own type has the version.
    return {
      manifest: { ...manifest, environment: environment as TrainingManifest["environment"] },
      warnings,
    };
  } catch (error) {
    throw asIssue(error, place);
  }
}

interface FoundModule {
  readonly module: UserModule;
  readonly warnings: readonly string[];
}

/** The kept module, else that of the file. */
async function moduleOf(
  { name, path = null }: UserPlace,
  kept: KeptModule | null,
  store: FileStore | undefined,
): Promise<FoundModule> {
  const files = store ?? (await defaultStore());
  const source = path === null ? null : await sourceAt(files, path, kept !== null);
  if (!kept) {
    if (path !== null && source !== null)
      return { module: await prepareModule(baseName(path), source), warnings: [] };
    throw new EnvironmentError(
      `found "${name}", which the workbench of a browser keeps; give path the module's file`,
    );
  }
  const isOther = source !== null && source !== kept.source;
  return {
    module: await prepareModule(kept.name, kept.source),
    warnings: isOther
      ? [
          `environment.path: ${path} has changed since the run began; the run goes on with the module that it kept`,
        ]
      : [],
  };
}

/** The text of a file; null where it is not there and need not be. @throws StorageError. */
async function sourceAt(store: FileStore, path: string, isOptional: boolean): Promise<string | null> {
  if (isOptional && !(await store.exists(path))) return null;
  return new TextDecoder().decode(await store.read(path));
}

/** What a module's fault says, at its place in the manifest; other errors stay as they are. */
function asIssue(error: unknown, place: UserPlace): unknown {
  const isFault = error instanceof EnvironmentError || error instanceof StorageError || isSandboxEnd(error);
  if (!isFault) return error;
  const message = reasonOf(error);
  rememberFault(place, message);
  const segments = ["environment", place.path ? "path" : "name"];
  const issue = { code: "value", path: dottedPath(segments), segments, message } as const;
  return new SpecError([issue], "manifest");
}
