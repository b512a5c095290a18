/**
 * A language-model member as a directory that other programs can read (adapters as PEFT files, or a whole model), and
 * members that start with the weights of such a directory, so that SFT, DPO and GRPO can be run in sequence.
 */
import {
  firstPolicy,
  foldersIn,
  type LlmMember,
  memberFiles,
  readWeights,
  withPolicy,
} from "../../llm/members.ts";
import { foldersOf, memoryFolder } from "../../llm/models.ts";
import { parseManifestObject, type TrainingManifest } from "../../manifests/index.ts";
import { type FileStore, joinPath } from "../../storage/index.ts";
import { ELITE_FILE } from "../loop/runFiles.ts";
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

export interface StartingMembers {
  readonly members: readonly LlmMember[];
  readonly warnings: readonly string[];
}

/** Those files of a directory that are in a folder, by their names in it. */
const inFolder = (files: ReadonlyMap<string, Uint8Array>, folder: string): Map<string, Uint8Array> =>
  new Map(
    [...files]
      .filter(([name]) => (folder === "" ? !name.includes("/") : name.startsWith(`${folder}/`)))
      .map(([name, bytes]) => [name.slice(folder === "" ? 0 : folder.length + 1), bytes]),
  );

/**
 * @param path A member's file, a checkpoint of a run (its elite is used), or the directory of an agent.
 * @throws StorageError or SpecError naming the file that is missing, damaged, or from another model, adapter
 *   or kind of training.
 */
export async function startingMembers(
  members: readonly LlmMember[],
  manifest: TrainingManifest,
  seed: number,
  path: string,
  store: FileStore,
): Promise<StartingMembers> {
  const plan = await agentPlanOf(manifest, modelFoldersOf(store));
  const folderIn = await foldersAt(path, store);
  const warnings: string[] = [];
  const begun: LlmMember[] = [];
  for (const member of members) {
    const own = seed + member.index;
    const start = { before: firstPolicy(plan, own), seed: own };
    const read = await readWeights(folderIn, plan, start, {});
    warnings.push(...read.warnings);
    begun.push(withPolicy(plan, { ...member, policy: read.policy }, seed));
  }
  return { members: begun, warnings: [...new Set(warnings)] };
}

async function foldersAt(path: string, store: FileStore) {
  const elite = joinPath(path, ELITE_FILE);
  const file = path.endsWith(".safetensors") ? path : (await store.exists(elite)) ? elite : null;
  if (file === null) return foldersIn(foldersOf(store), path);
  const files = await memberDirectory(await store.read(file), file, store);
  return (name: string) => memoryFolder(inFolder(files, name), joinPath(file, name));
}
