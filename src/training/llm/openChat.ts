/** Opens members of runs, and base models, for a conversation. */
import { WasmDevice } from "../../kernels/index.ts";
import { withTemplateOf } from "../../llm/environments.ts";
import { AgentOnDevice, ChatAgent, firstPolicy } from "../../llm/members.ts";
import type { TrainingManifest } from "../../manifests/index.ts";
import type { FileStore } from "../../storage/index.ts";
import { agentPlanOf } from "./agentPlanOf.ts";
import { decodeMember } from "./memberFile.ts";
import { modelFoldersOf } from "./modelFolders.ts";

/** Longest conversation in tokens, unless training has longer sequences, or the model allows only shorter ones. */
const USUAL_LENGTH = 2048;

/**
 * @param member A member's file, as a run writes it; null for the model that the manifest names, before it is trained.
 * @throws Any error from reading the model or the file; OutOfMemoryError.
 */
export async function openChat(
  manifest: TrainingManifest,
  member: Uint8Array | null,
  store: FileStore,
): Promise<ChatAgent> {
  const planned = await agentPlanOf(manifest, modelFoldersOf(store));
  // A conversation may be longer than the sequences of training.
  const max_model_len = Math.max(planned.spec.max_model_len, USUAL_LENGTH);
  const plan = { ...planned, spec: { ...planned.spec, max_model_len } };
  const { environment } = manifest;
  const isText = environment.env_type === "dataset" || environment.env_type === "rollout";
  const readText = async (path: string) => new TextDecoder().decode(await store.read(path));
  const form = {
    tokenizer: isText
      ? await withTemplateOf(plan.parts.tokenizer, environment, readText)
      : plan.parts.tokenizer,
    apply_chat_template: isText ? environment.apply_chat_template : true,
    chat_template_kwargs: isText ? environment.chat_template_kwargs : {},
  };
  // A member has no policy before its first turn.
  const { policy = {} } = member === null ? {} : decodeMember(member, "agent");
  const state = Object.keys(policy).length > 0 ? policy : await firstPolicy(plan, 0);
  return new ChatAgent(await AgentOnDevice.open(plan, new WasmDevice()), state, form);
}
