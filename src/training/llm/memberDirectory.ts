/**
 * A language-model member as a directory that other programs can read (adapters as PEFT files, or a whole model), and
 * members that start with the weights of such a directory, so that SFT, DPO and GRPO can be run in sequence.
 */
import {
  type AgentPlan,
  exportOnnx,
  firstPolicy,
  foldersIn,
  type LlmMember,
  memberFiles,
  mergedMember,
  readWeights,
} from "../../llm/members.ts";
import { foldersOf, memoryFolder } from "../../llm/models.ts";
import { parseManifestObject, SpecError, type TrainingManifest } from "../../manifests/index.ts";
import { type FileStore, joinPath, parentPath, readCheckpoint, StorageError } from "../../storage/index.ts";
import { currentRecord, ELITE_FILE, memberFile, missingFile, RUN_FILE } from "../loop/runFiles.ts";
import { agentPlanOf } from "./agentPlanOf.ts";
import { decodeMember, manifestIn } from "./memberFile.ts";
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
  return directoryOfMember(decodeMember(bytes, path), await manifestOf(bytes, path, store), store);
}

/**
 * Writes the actor of a member's file as an ONNX model to `dir`, in the layout of Optimum and transformers.js, with an
 * adapter merged.
 * @returns Names of the written files.
 * @throws StorageError naming `path` when it is not a member's file; also any error from reading the base
 *   model, and from writing.
 */
export async function writeMemberOnnx(
  bytes: Uint8Array,
  path: string,
  store: FileStore,
  dir: string,
): Promise<readonly string[]> {
  const { policy } = decodeMember(bytes, path);
  return exportOnnx(await planOf(bytes, path, store), policy, { store, dir });
}

/**
 * Writes a member as a model of its own: its adapter added to the weights of its base, or its whole model. Other programs
 * read it without adapters.
 * @returns the names of the files.
 * @throws StorageError naming `path` when it is not a member's file, or as `writeMerged`; also any error from reading the
 *   base model.
 */
export async function writeMergedMember(
  bytes: Uint8Array,
  path: string,
  store: FileStore,
  dir: string,
): Promise<readonly string[]> {
  const { policy } = decodeMember(bytes, path);
  return mergedMember(await planOf(bytes, path, store), policy, { store, dir });
}

/** The plan of a member's file. */
const planOf = async (bytes: Uint8Array, path: string, store: FileStore): Promise<AgentPlan> =>
  agentPlanOf(await manifestOf(bytes, path, store), modelFoldersOf(store));

/** The manifest of a member's file, in it or in the checkpoint that it is part of. */
const manifestOf = async (bytes: Uint8Array, path: string, store: FileStore): Promise<TrainingManifest> =>
  parseManifestObject(manifestIn(bytes, path) ?? (await manifestBeside(path, store)));

/** The manifest of the checkpoint that a member's file is part of. */
async function manifestBeside(path: string, store: FileStore): Promise<unknown> {
  const dir = parentPath(path);
  const { files } = await readCheckpoint(store, dir, (name) => name === RUN_FILE).catch((error: unknown) => {
    throw new StorageError(
      "corrupt",
      path,
      "does not contain its member's manifest, and no run.json of a checkpoint is beside it; name the file in its checkpoint",
      { cause: error },
    );
  });
  const run = files.get(RUN_FILE);
  if (run === undefined) throw missingFile(dir, RUN_FILE);
  return currentRecord(run, files, joinPath(dir, RUN_FILE)).record.manifest;
}

/**
 * The member that a path stands for: that of a file, or of a checkpoint its elite, or first member if none was evaluated.
 * Null if there is none.
 */
export async function memberFileAt(path: string, store: FileStore): Promise<string | null> {
  if (path.endsWith(".safetensors")) return path;
  for (const name of [ELITE_FILE, memberFile(0)])
    if (await store.exists(joinPath(path, name))) return joinPath(path, name);
  return null;
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
    const start = { before: member.policy, seed: seed + member.index };
    const read = await readWeights(folderIn, plan, start, {});
    warnings.push(...read.warnings);
    begun.push({ ...member, policy: read.policy });
  }
  return { members: begun, warnings: [...new Set(warnings)] };
}

async function foldersAt(path: string, store: FileStore) {
  const file = await memberFileAt(path, store);
  if (file === null) return foldersIn(foldersOf(store), path);
  const files = await memberDirectory(await store.read(file), file, store);
  return (name: string) => memoryFolder(inFolder(files, name), joinPath(file, name));
}

const sizeOf = (values: Float32Array | undefined): string =>
  values === undefined ? "nothing" : `${values.length} numbers`;

/**
 * The first members of a stage, with what the stage before it learned.
 * @param from The member that the stage before ended with.
 * @throws SpecError for a model, an adapter or a way of training other than that of `from`; also any error from reading
 *   the base model.
 */
export async function handedOn(
  members: readonly LlmMember[],
  manifest: TrainingManifest,
  seed: number,
  from: LlmMember,
  store: FileStore,
): Promise<LlmMember[]> {
  const plan = await agentPlanOf(manifest, modelFoldersOf(store));
  const weightsOf = (name: string): Float32Array | undefined =>
    from.policy[name.replace(/^reference\./, "actor.")];
  const begun: LlmMember[] = [];
  for (const member of members) {
    const fresh = await firstPolicy(plan, seed + member.index);
    const actor = Object.keys(fresh).filter((name) => name.startsWith("actor."));
    const given = Object.keys(from.policy).filter((name) => name.startsWith("actor."));
    for (const name of new Set([...actor, ...given])) {
      const [due, found] = [fresh[name], from.policy[name]];
      if (due?.length === found?.length) continue;
      const segments = ["network", "lora_config"];
      const message = `this stage trains ${sizeOf(due)} of "${name}", the one before ${sizeOf(found)}; all stages need the same model and adapter`;
      throw new SpecError([{ code: "rule", path: segments.join("."), segments, message }], "manifest");
    }
    const policy = Object.entries(fresh).map(([name, values]) => {
      const isCritic = name.startsWith("critic.");
      return [name, (isCritic ? values : weightsOf(name)?.slice()) ?? values] as const;
    });
    begun.push({ ...member, policy: Object.fromEntries(policy) });
  }
  return begun;
}
