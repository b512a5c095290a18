/**
 * A language-model member as a directory that other programs can read: adapters as PEFT files, or a whole
 * model.
 */
import { type LlmMember, memberFiles } from "../../llm/members.ts";
import { parseManifestObject, type TrainingManifest } from "../../manifests/index.ts";
import type { FileStore } from "../../storage/index.ts";
import { agentPlanOf } from "./agentPlanOf.ts";
import { decodeMember, factsOf } from "./memberFile.ts";
import { modelFoldersOf } from "./modelFolders.ts";

/**
 * The files in `actor/` and the other folders (see `LLMAlgorithm.saveCheckpoint`), by their paths in the
 * directory.
 * @param store Store that contains the base model.
 * @throws Any error from reading the base model.
 */
export const directoryOfMember = async (
  member: LlmMember,
  manifest: TrainingManifest,
  store: FileStore,
): Promise<ReadonlyMap<string, Uint8Array>> =>
  memberFiles(await agentPlanOf(manifest, modelFoldersOf(store)), member);

/**
 * Like {@link directoryOfMember}, for the bytes of a member's file.
 * @throws StorageError naming `path` when it is not a member's file; also any error from reading the base
 *   model.
 */
export async function memberDirectory(
  bytes: Uint8Array,
  path: string,
  store: FileStore,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const member = decodeMember(bytes, path);
  const { manifest } = factsOf(bytes, path);
  return directoryOfMember(member, parseManifestObject(manifest), store);
}
