/** The first members of a stage, with what the stage before it learned. */
import { firstPolicy, type LlmMember } from "../../llm/members.ts";
import { SpecError, type TrainingManifest } from "../../manifests/index.ts";
import type { FileStore } from "../../storage/index.ts";
import { agentPlanOf } from "./agentPlanOf.ts";
import { modelFoldersOf } from "./modelFolders.ts";

const sizeOf = (values: Float32Array | undefined): string =>
  values === undefined ? "nothing" : `${values.length} numbers`;

/**
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
