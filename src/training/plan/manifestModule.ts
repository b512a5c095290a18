/** Opens the module of a manifest's environment. */

import { dottedPath, SpecError, type TrainingManifest } from "../../manifests/index.ts";
import { EnvironmentError } from "../../rl/faces.ts";
import {
  isHash,
  type OpenOptions,
  openUserEnvironment,
  rememberFault,
  type UserPlace,
} from "../../sandbox/environments.ts";
import { isTaskFile, prepareModule, robotAt, type UserModule } from "../../sandbox/modules.ts";
import { isSandboxEnd } from "../../sandbox/sandboxes.ts";
import { defaultStore, reasonOf } from "../../storage/files.ts";
import { baseName, type FileStore, StorageError } from "../../storage/index.ts";
import type { KeptModule } from "../rl/runState.ts";
import { userPlaceOf } from "./environmentOf.ts";

export interface ModuleOptions extends OpenOptions {
  /** Store of the module's file (default: the disk in Node, OPFS in a browser). */
  readonly store?: FileStore | undefined;
  /** The module stored with a run, which is used even if the file has changed; null for none. */
  readonly kept?: KeptModule | null;
}

interface OpenedManifest {
  /** The manifest, with the module's hash as the environment's version. */
  readonly manifest: TrainingManifest;
  readonly warnings: readonly string[];
}

/**
 * Opens the module that a manifest's environment names, in a sandbox, and validates it. After that, the
 * manifest can be checked and trained. Does nothing for other manifests.
 * @throws SpecError at `environment.path` or `environment.name` for a module that is missing or unusable.
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
    // The section's type does include `version`.
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

/** The stored module if there is one, else the file's. */
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
      `found "${name}", which is stored in a browser's workbench; set path to the module's file`,
    );
  }
  const isOther = source !== null && source !== kept.source;
  return {
    module: await prepareModule(kept.name, kept.source),
    warnings: isOther
      ? [
          `environment.path: ${path} has changed since the run began; the run continues with the module that was stored with it`,
        ]
      : [],
  };
}

/** The text of a file; null if an optional file is missing. @throws StorageError. */
async function sourceAt(store: FileStore, path: string, isOptional: boolean): Promise<string | null> {
  if (isOptional && !(await store.exists(path))) return null;
  return isTaskFile(path) ? robotAt(store, path) : new TextDecoder().decode(await store.read(path));
}

/** Converts an error of a module to an issue at its path in the manifest; returns other errors unchanged. */
function asIssue(error: unknown, place: UserPlace): unknown {
  const isFault = error instanceof EnvironmentError || error instanceof StorageError || isSandboxEnd(error);
  if (!isFault) return error;
  const message = reasonOf(error);
  rememberFault(place, message);
  const segments = ["environment", place.path ? "path" : "name"];
  const issue = { code: "value", path: dottedPath(segments), segments, message } as const;
  return new SpecError([issue], "manifest");
}
