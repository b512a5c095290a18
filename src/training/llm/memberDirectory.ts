/** A language model's member as the directory that other programs read: adapters in PEFT's files, or a whole model. */
import { memberFiles } from "../../llm/agents/files/memberFiles.ts";
import type { Folder } from "../../llm/files/Folder.ts";
import { parseManifestObject } from "../../specs/index.ts";
import { agentPlanOf } from "./agentPlanOf.ts";
import { decodeMember, factsOf } from "./memberFile.ts";

/**
 * The files of `actor/` and others (see `LLMAlgorithm.saveCheckpoint`), by their paths in the directory.
 * @param bytes A member's file.
 * @param folderOf Finds the folder of a base model by its path.
 * @throws StorageError naming `path` for what is no member's file; what reading the base model throws.
 */
export async function memberDirectory(
  bytes: Uint8Array,
  path: string,
  folderOf: (path: string) => Folder,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const member = decodeMember(bytes, path);
  const { manifest } = factsOf(bytes, path);
  return memberFiles(await agentPlanOf(parseManifestObject(manifest), folderOf), member);
}
