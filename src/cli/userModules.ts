/** Modules of users' environments, as commands name them. */
import { z } from "zod";
import type { UserEnvironment } from "../sandbox/userEnvironments.ts";
import { SpecError, type TrainingManifest, validateManifest } from "../specs/index.ts";
import { type FileStore, joinPath } from "../storage/index.ts";
import { RUN_FILE } from "../training/loop/runFiles.ts";
import { userEnvironmentOf, userPlaceOf } from "../training/plan/environmentOf.ts";
import { type ModuleOptions, openManifestModule } from "../training/plan/manifestModule.ts";
import { keptModule } from "../training/rl/keptModule.ts";
import type { CommandLine, OptionDefinition } from "./CommandLine.ts";

export const TIMEOUT_OPTION: { readonly "environment-timeout": OptionDefinition } = {
  "environment-timeout": {
    value: "SECONDS",
    help: "Time that each answer of an environment of yours may take in its sandbox; 10 unless given.",
  },
};

/** @throws CliError for what is no number of seconds. */
export function timeoutOption(line: CommandLine): Pick<ModuleOptions, "timeout_s"> {
  const timeout_s = line.integer("environment-timeout", 1);
  return timeout_s === null ? {} : { timeout_s };
}

/**
 * Opens the module that a manifest names, so that the checks that follow know its environment or what is wrong with it. Of
 * a text that is no manifest they say so.
 * @param options Of the manifest; asked for when there is one.
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

const MODULE = /^(.*\.m?[jt]s)(?::([^:]+))?$/;

/**
 * The environment of a module that a command names: FILE, or FILE:NAME for one of its exports. Null for another name.
 * @throws SpecError for a module that is not there or cannot be used.
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
 * The environment whose module a checkpoint directory has kept; null for any other directory or file.
 * @throws As `moduleEnvironment`.
 */
export async function keptEnvironment(
  store: FileStore,
  dir: string,
  options: ModuleOptions,
): Promise<UserEnvironment | null> {
  const kept = await keptModule(store, dir);
  if (!kept) return null;
  // A checkpoint that keeps a module has this file, and was just read.
  const run: unknown = JSON.parse(new TextDecoder().decode(await store.read(joinPath(dir, RUN_FILE))));
  const { environment } = SavedSection.parse(run).manifest;
  return openedIn(environment, { store, kept, ...options });
}

/** The environment of a manifest's section. */
async function openedIn(
  environment: Readonly<Record<string, unknown>>,
  options: ModuleOptions,
): Promise<UserEnvironment | null> {
  // The algorithm has no say in what the environment is.
  const read = validateManifest({ algorithm: { name: "DQN" }, environment });
  if (!read.success) throw new SpecError(read.issues, "environment");
  await openManifestModule(read.manifest, options);
  return userEnvironmentOf(read.manifest);
}
