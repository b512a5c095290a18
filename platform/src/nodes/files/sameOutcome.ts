/** Compares two outcomes of the same turn. */
import { StorageError, sha256Hex } from "../../../../src/storage/index.ts";
import type { TurnOutcome } from "../../../../src/training/workloads.ts";
import type { ArtifactStore } from "../../artifacts/ArtifactStore.ts";
import { TurnFiles, type TurnFilesOptions } from "./TurnFiles.ts";

/** A store that only hashes and keeps nothing. */
const hashing: ArtifactStore = {
  put: sha256Hex,
  get: async (sha256) => {
    throw new StorageError("not_found", sha256, "was not kept");
  },
};

/** Compares contents, not artifacts: two machines may gzip the same transitions to different bytes. */
export async function sameOutcome(
  a: TurnOutcome,
  b: TurnOutcome,
  agents: TurnFilesOptions["agents"],
): Promise<boolean> {
  // A failed turn cannot be compared: its machine may have run out of memory.
  if (!a.ok || !b.ok) return true;
  const hashes = new TurnFiles({ store: hashing, agents });
  return (await hashes.putOutcome(a)) === (await hashes.putOutcome(b));
}
