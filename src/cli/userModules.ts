/** User environment modules that commands name. */
import { z } from "zod";
import { SpecError, type TrainingManifest, validateManifest } from "../manifests/index.ts";
import type { UserEnvironment } from "../sandbox/environments.ts";
import { type FileStore, joinPath } from "../storage/index.ts";
import { RUN_FILE } from "../training/loop.ts";
import { type ModuleOptions, openManifestModule, userEnvironmentOf, userPlaceOf } from "../training/plan.ts";
import { keptModule } from "../training/workloads.ts";
import type { CommandLine, OptionDefinition } from "./CommandLine.ts";

export const TIMEOUT_OPTION: { readonly "environment-timeout": OptionDefinition } = {
  "environment-timeout": {
    value: "SECONDS",
    help: "Timeout in seconds for each call of a user-written environment in its sandbox (default: 10).",
  },
};

/** @throws CliError if the value is not a whole number of seconds. */
export function timeoutOption(line: CommandLine): Pick<ModuleOptions, "timeout_s"> {
  const timeout_s = line.integer("environment-timeout", 1);
  return timeout_s === null ? {} : { timeout_s };
}

/**
 * Opens the module that a manifest names, so that later checks know its environment or the module's errors.
 * Does nothing for an invalid manifest, which those checks report.
 * @param options Returns the module's options; called only for a manifest that names a module.
 */
export async function openNamedModule(
  text: string,
  options: (manifest: TrainingManifest) => ModuleOptions | Promise<ModuleOptions>,
): Promise<void> {
  const read = validateManifest(text);
  if (!read.success || !userPlaceOf(read.manifest)) return;
  try {
    await openManifestModule(read.manifest, await options(read.manifest));
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
  }
}

const MODULE = /^(.*\.(?:m?[jt]s|ya?ml|json))(?::([^:]+))?$/;

/**
 * The environment of a module that a command names: FILE, or FILE:NAME for one of its exports. Null
 * for any other name.
 * @throws SpecError for a module that does not exist or cannot be used.
 */
export async function moduleEnvironment(
  store: FileStore,
  named: string,
  options: ModuleOptions = {},
): Promise<UserEnvironment | null> {
  const [, path, entrypoint = null] = MODULE.exec(named) ?? [];
  if (path === undefined) return null;
  return openedIn({ name: path, path, entrypoint }, { store, ...options });
}

const SavedSection = z.object({
  manifest: z.object({ environment: z.looseObject({ name: z.string() }) }),
});

/**
 * The environment of the module saved in a checkpoint directory; null for any other directory or file.
 * @throws As `moduleEnvironment`.
 */
export async function keptEnvironment(
  store: FileStore,
  dir: string,
  options: ModuleOptions,
): Promise<UserEnvironment | null> {
  const kept = await keptModule(store, dir);
  if (!kept) return null;
  // A checkpoint with a saved module has this file, and was read a moment ago.
  const run: unknown = JSON.parse(new TextDecoder().decode(await store.read(joinPath(dir, RUN_FILE))));
  const { environment } = SavedSection.parse(run).manifest;
  return openedIn(environment, { store, kept, ...options });
}

/** Opens the environment of a manifest's `environment` section. */
async function openedIn(
  environment: Readonly<Record<string, unknown>>,
  options: ModuleOptions,
): Promise<UserEnvironment | null> {
  // Any algorithm will do: it does not affect the environment.
  const read = validateManifest({ algorithm: { name: "DQN" }, environment });
  if (!read.success) throw new SpecError(read.issues, "environment");
  await openManifestModule(read.manifest, options);
  return userEnvironmentOf(read.manifest);
}
