/**
 * Stores a member as a directory: `actor/`, `reference/` and `critic/` with an adapter in PEFT's format or a
 * whole model, `value_head.safetensors`, `optimizer.safetensors`, `attributes.json`. The directory and its
 * folders have a `checksums.json` each.
 */
import {
  decodeSafetensors,
  encodeSafetensors,
  type FileStore,
  joinPath,
  StorageError,
  type StoredTensor,
} from "../../../storage/index.ts";
import { VALUE_HEAD } from "../../engine/names.ts";
import {
  CHECKSUMS,
  type Folder,
  placeOf,
  unverifiedWarnings,
  verified,
  withChecksums,
} from "../../files/Folder.ts";
import { ownName, type Role } from "../../models/WeightSource.ts";
import { companionFiles } from "../../tokenizers/companionFiles.ts";
import { firstPolicy, policyShapeOf } from "../AgentOnDevice.ts";
import type { AgentPlan } from "../agentPlan.ts";
import type { LlmMember } from "../LlmMember.ts";
import type { PolicyState } from "../PolicyState.ts";
import { ATTRIBUTES, attributesFile } from "./attributes.ts";
import { hasRole, readRole, roleFiles } from "./roleFiles.ts";

const HEAD = "value_head.safetensors";
const OPTIMIZER = "optimizer.safetensors";
const ROLES = ["actor", "reference", "critic"] as const;
const HEAD_NAMES = Object.values(VALUE_HEAD);

/** Opens a folder inside a directory; "" means the directory itself. */
export type FolderIn = (name: string) => Folder;

export interface WeightOptions {
  /**
   * `null` (default): the checkpoint's reference, or a copy of its actor if it has none, so that each stage
   * of training stays near the previous one. `true`: a copy of the actor. `false`: the checkpoint's
   * reference, or the agent's present one.
   */
  readonly overwrite_reference_adapter?: boolean | null;
  /** `false` (default): the checkpoint's critic, or a new one if it has none. `true`: a copy of the actor. */
  readonly overwrite_critic_adapter?: boolean;
}

const isOfRole = (name: string): boolean => ROLES.some((role) => name.startsWith(ownName(role, "")));

const headTensor = (name: string, data: Float32Array): StoredTensor => ({
  shape: name === VALUE_HEAD.weight ? [1, data.length] : [1],
  data,
});

/**
 * All files of a member by path in its directory. `checksums.json` comes first, and `attributes.json`, which
 * every checkpoint must have, last. An actor that is a whole model has the files of its tokenizer.
 */
export async function memberFiles(plan: AgentPlan, member: LlmMember): Promise<Map<string, Uint8Array>> {
  const { policy } = member;
  const shape = policyShapeOf(plan);
  const files = new Map<string, Uint8Array>();
  for (const role of ROLES) {
    if (role !== "actor" && !shape[role]) continue;
    const own = roleFiles(plan, policy, role);
    const isModel = role === "actor" && shape.tuning.kind === "whole";
    const companions = isModel ? await companionFiles(plan.parts) : [];
    for (const [name, bytes] of withChecksums(new Map([...own, ...companions])))
      files.set(`${role}/${name}`, bytes);
  }
  if (shape.critic) {
    const tensors = HEAD_NAMES.map((name): [string, StoredTensor] => [
      name,
      headTensor(name, policy[ownName("critic", name)] ?? new Float32Array()),
    ]);
    files.set(HEAD, encodeSafetensors(tensors));
  }
  const moments = Object.entries(policy).filter(([name]) => !isOfRole(name));
  files.set(
    OPTIMIZER,
    encodeSafetensors(moments.map(([name, data]) => [name, { shape: [data.length], data }])),
  );
  return withChecksums(files.set(ATTRIBUTES, attributesFile(plan, member)));
}

/** Writes a member's files to a directory, and removes those of an earlier member. */
export async function writeMember(
  store: FileStore,
  dir: string,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  // attributes.json goes first, because a directory without it is not a checkpoint.
  for (const name of [ATTRIBUTES, CHECKSUMS, ...ROLES, HEAD, OPTIMIZER])
    await store.remove(joinPath(dir, name));
  for (const [name, bytes] of files) await store.write(joinPath(dir, name), bytes);
}

interface ReadPolicy {
  readonly policy: PolicyState;
  readonly warnings: readonly string[];
}

const named = (role: Role, weights: Iterable<readonly [string, Float32Array]>): PolicyState =>
  Object.fromEntries([...weights].map(([name, values]) => [ownName(role, name), values]));

/** The value head in a directory; `null` if there is none. */
async function readHead(folder: Folder): Promise<PolicyState | null> {
  const bytes = await folder.readFile(HEAD);
  if (bytes === null) return null;
  const place = placeOf(folder, HEAD);
  const { tensors } = decodeSafetensors(bytes, place);
  return Object.fromEntries(
    HEAD_NAMES.map((name) => {
      const tensor = tensors.get(name);
      if (tensor?.data instanceof Float32Array) return [ownName("critic", name), tensor.data];
      throw new StorageError("corrupt", place, `lacks "${name}" in f32; use another copy`);
    }),
  );
}

async function criticOf(
  folderIn: FolderIn,
  plan: AgentPlan,
  actor: PolicyState,
  { fresh, copy }: { readonly fresh: () => Promise<PolicyState>; readonly copy: boolean },
): Promise<ReadPolicy> {
  const head = await readHead(folderIn(""));
  const folder = folderIn("critic");
  const there = await hasRole(folder);
  if (there && head === null)
    throw new StorageError(
      "not_found",
      placeOf(folderIn(""), HEAD),
      "no such file next to critic/; a critic needs its value head; use a complete copy",
    );
  const begun = Object.fromEntries(
    Object.entries(await fresh()).filter(([name]) => name.startsWith(ownName("critic", ""))),
  );
  if (copy) {
    const copied = Object.entries(actor).map(([name, values]): [string, Float32Array] => [
      name.slice(ownName("actor", "").length),
      values.slice(),
    ]);
    return { policy: { ...begun, ...named("critic", copied), ...head }, warnings: [] };
  }
  if (!there) return { policy: begun, warnings: [] };
  const { weights, warnings } = await readRole(folder, plan);
  return { policy: { ...named("critic", weights), ...head }, warnings };
}

/**
 * Reads the weights in a directory as a policy without moments.
 * @param before The agent's present policy.
 * @param seed Seed of newly initialised weights.
 * @returns The policy, and warnings, such as for a directory without `checksums.json`.
 * @throws StorageError or SpecError naming a file that is missing, damaged, or made with another
 *   model, adapter or training mode.
 * @internal
 */
export async function readWeights(
  folderIn: FolderIn,
  plan: AgentPlan,
  { before, seed }: { readonly before: PolicyState; readonly seed: number },
  { overwrite_reference_adapter = null, overwrite_critic_adapter = false }: WeightOptions,
): Promise<ReadPolicy> {
  const shape = policyShapeOf(plan);
  const { weights, warnings } = await readRole(folderIn("actor"), plan);
  const actor = named("actor", weights);
  const found = [...(await unverifiedWarnings(folderIn(""))), ...warnings];
  let policy: PolicyState = actor;
  if (shape.reference) {
    const stored = overwrite_reference_adapter !== true && (await hasRole(folderIn("reference")));
    const kept = overwrite_reference_adapter === false ? Object.entries(before) : [];
    const copied = [...weights].map(([name, values]): [string, Float32Array] => [name, values.slice()]);
    const reference = stored
      ? named("reference", (await readRole(folderIn("reference"), plan)).weights)
      : Object.fromEntries(kept.filter(([name]) => name.startsWith(ownName("reference", ""))));
    policy = {
      ...policy,
      ...(Object.keys(reference).length > 0 ? reference : named("reference", copied)),
    };
  }
  if (shape.critic) {
    const fresh = () => firstPolicy(plan, seed);
    const critic = await criticOf(folderIn, plan, actor, { fresh, copy: overwrite_critic_adapter });
    policy = { ...policy, ...critic.policy };
    found.push(...critic.warnings);
  }
  return { policy, warnings: found };
}

/**
 * Reads the moments of the optimisers in a directory. Returns none, with a warning, if their file is missing.
 * @param names The moments of the agent's optimisers.
 * @throws StorageError `corrupt` for a file that is damaged or of another agent.
 * @internal
 */
export async function readMoments(folder: Folder, names: readonly string[]): Promise<ReadPolicy> {
  const place = placeOf(folder, OPTIMIZER);
  const bytes = await folder.readFile(OPTIMIZER);
  if (bytes === null) return { policy: {}, warnings: [`${place}: no such file; the optimisers are reset`] };
  const { tensors } = decodeSafetensors(bytes, place);
  if (tensors.size === 0) return { policy: {}, warnings: [] };
  const [stray, lost] = [
    [...tensors.keys()].find((name) => !names.includes(name)),
    names.find((name) => !tensors.has(name)),
  ];
  if (stray !== undefined || lost !== undefined) {
    const what = stray === undefined ? `lacks "${lost}"` : `has "${stray}"`;
    throw new StorageError("corrupt", place, `${what}; does it belong to another agent?`);
  }
  const policy = [...tensors].map(([name, { data }]) => [name, data as Float32Array] as const); // all are f32
  return { policy: Object.fromEntries(policy), warnings: [] };
}

/**
 * Opens folders inside a directory, by means of a function that opens them by path. Their files are verified
 * with the directory's checksums.
 */
export const foldersIn =
  (folderOf: (path: string) => Folder, dir: string): FolderIn =>
  (name) =>
    verified(folderOf(dir), name, folderOf(name === "" ? dir : joinPath(dir, name)));
