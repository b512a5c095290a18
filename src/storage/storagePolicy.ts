/** The policy for which checkpoints of runs are kept; one policy per store. */
import { z } from "zod";
import type { FileStore } from "./fileStore.ts";
import { isStorageError, StorageError } from "./storageError.ts";

const POLICY_FILE = "/v1/policy.json";

const policySchema = z.strictObject({
  /** Number of newest checkpoints to keep. */
  keep_last: z.int().min(1).max(1000),
  /** Whether the checkpoint with the best fitness is also kept. */
  keep_best: z.boolean(),
  /** Most bytes that the elites of a run's generations take; absent in older files. */
  elite_bytes: z.int().min(0).max(1e12).default(64_000_000),
  /** Most bytes that the policies of all members of its generations take; absent in older files. */
  population_bytes: z.int().min(0).max(1e12).default(64_000_000),
});

/** Pinned checkpoints and elites are always kept. */
export type StoragePolicy = Readonly<z.infer<typeof policySchema>>;

export const DEFAULT_POLICY: StoragePolicy = {
  keep_last: 2,
  keep_best: true,
  elite_bytes: 64_000_000,
  population_bytes: 64_000_000,
};

/** The stored policy; the default policy if it is missing or unreadable. */
export async function readPolicy(files: FileStore): Promise<StoragePolicy> {
  try {
    return policySchema.parse(JSON.parse(new TextDecoder().decode(await files.read(POLICY_FILE))));
  } catch (error) {
    const unreadable = error instanceof SyntaxError || error instanceof z.ZodError;
    if (unreadable || isStorageError(error, "not_found")) return DEFAULT_POLICY;
    throw error;
  }
}

/** @throws StorageError `io` for a policy out of range. */
export async function writePolicy(files: FileStore, policy: StoragePolicy): Promise<void> {
  const checked = policySchema.safeParse(policy);
  if (!checked.success)
    throw new StorageError(
      "io",
      POLICY_FILE,
      `the policy was not changed: ${z.prettifyError(checked.error)}`,
    );
  await files.write(POLICY_FILE, new TextEncoder().encode(`${JSON.stringify(checked.data)}\n`));
}
