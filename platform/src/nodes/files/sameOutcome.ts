/** Whether a turn that was trained twice ended alike. */
import { StorageError, sha256Hex } from "../../../../src/storage/index.ts";
import type { TurnOutcome } from "../../../../src/training/rl/kinds.ts";
import type { ArtifactStore } from "../../artifacts/ArtifactStore.ts";
import { TurnFiles, type TurnFilesOptions } from "./TurnFiles.ts";

/** Hashes, and keeps nothing. */
const hashing: ArtifactStore = {
  put: sha256Hex,
  get: async (sha256) => {
    throw new StorageError("not_found", sha256, "was not kept");
  },
};

/** Bits are compared, not artifacts: two machines may gzip the same transitions to other bytes. */
export async function sameOutcome(
  a: TurnOutcome,
  b: TurnOutcome,
  agents: TurnFilesOptions["agents"],
): Promise<boolean> {
  // A turn that failed says nothing of bits: the machine may have run out of memory.
  if (!a.ok || !b.ok) return true;
  const hashes = new TurnFiles({ store: hashing, agents });
  return (await hashes.putOutcome(a)) === (await hashes.putOutcome(b));
}
