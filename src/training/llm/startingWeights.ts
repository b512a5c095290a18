/** Members that start with the weights of a saved one, so that SFT, DPO and GRPO can be run in sequence. */
import { firstPolicy, foldersIn, type LlmMember, readWeights, withPolicy } from "../../llm/members.ts";
import { foldersOf, memoryFolder } from "../../llm/models.ts";
import type { TrainingManifest } from "../../manifests/index.ts";
import { type FileStore, joinPath } from "../../storage/index.ts";
import { ELITE_FILE } from "../loop/runFiles.ts";
import { agentPlanOf } from "./agentPlanOf.ts";
import { memberDirectory } from "./memberDirectory.ts";
import { modelFoldersOf } from "./modelFolders.ts";

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
