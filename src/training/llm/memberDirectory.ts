/** A language model's member as the directory that other programs read: adapters in PEFT's files, or a whole model. */
import { memberFiles } from "../../llm/agents/files/memberFiles.ts";
import type { LlmMember } from "../../llm/agents/LlmMember.ts";
import { parseManifestObject, type TrainingManifest } from "../../specs/index.ts";
import type { FileStore } from "../../storage/index.ts";
import { agentPlanOf } from "./agentPlanOf.ts";
import { decodeMember, factsOf } from "./memberFile.ts";
import { modelFoldersOf } from "./modelFolders.ts";

/**
 * The files of `actor/` and others (see `LLMAlgorithm.saveCheckpoint`), by their paths in the directory.
 * @param store Where the base model lies.
 * @throws What reading the base model throws.
 */
export const directoryOfMember = async (
  member: LlmMember,
  manifest: TrainingManifest,
  store: FileStore,
): Promise<ReadonlyMap<string, Uint8Array>> =>
  memberFiles(await agentPlanOf(manifest, modelFoldersOf(store)), member);

/**
 * As {@link directoryOfMember}, of a member's file.
 * @throws StorageError naming `path` for what is no member's file; what reading the base model throws.
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
