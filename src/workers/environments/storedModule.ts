/**
 * A user-written environment as a stored run contains it: complete, so that showing the run
 * executes no user code.
 */
import { z } from "zod";
import type { TrainingManifest } from "../../manifests/index.ts";
import { jsonSpace } from "../../rl/environments.ts";
import { spaceFromJson, spaceToJson } from "../../rl/spaces.ts";
import { knownUserEnvironment, type UserEnvironment } from "../../sandbox/environments.ts";
import { sha256HexNow } from "../../storage/files.ts";
import { userPlaceOf } from "../../training/plan.ts";

export const storedModule = z
  .object({
    /** The name in the run's manifest. */
    name: z.string(),
    sha256: z.string(),
    /** The source text, unchanged. */
    source: z.string(),
    /** Training opens the module and rejects spaces that differ from these. */
    observation_space: jsonSpace,
    action_space: jsonSpace,
    stated_limit: z.int().positive().nullable(),
  })
  .refine(({ sha256, source }) => sha256HexNow(new TextEncoder().encode(source)) === sha256, {
    error: "the environment's code is corrupt (its SHA-256 differs)",
  });

export type StoredModule = z.infer<typeof storedModule>;

export const storeModule = ({ module, ...env }: UserEnvironment): StoredModule => ({
  name: env.id,
  sha256: module.sha256,
  source: module.source,
  observation_space: spaceToJson(env.observation_space),
  action_space: spaceToJson(env.action_space),
  stated_limit: env.stated_limit,
});

/**
 * Registers a stored run's environment without running its code.
 * @throws Error for a manifest that names another environment.
 */
export async function recallModule(manifest: TrainingManifest, stored: StoredModule): Promise<void> {
  const place = userPlaceOf(manifest);
  if (place === null || place.name !== stored.name || place.version !== stored.sha256)
    throw new Error(
      `environment.version: found ${JSON.stringify(place?.version ?? null)}, allowed ${stored.sha256}, that of the code next to it`,
    );
  if (knownUserEnvironment(place)) return;
  // Loaded on demand, so that the worker's start does not load the sandbox code.
  const { prepareModule, rememberModule, TIMEOUT_S } = await import("../parts/userModules.ts");
  rememberModule(place, await prepareModule(stored.name, stored.source), {
    observation_space: spaceFromJson(stored.observation_space),
    action_space: spaceFromJson(stored.action_space),
    stated_limit: stored.stated_limit,
    timeout_s: TIMEOUT_S,
    warnings: [],
  });
}
