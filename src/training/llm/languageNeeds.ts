/** Checks a language-model run against its files, and estimates its memory, without training. */
import type { HubListing } from "../../hub/index.ts";
import { machineMemory, megabytes, memoryNeed } from "../../kernels/machineMemory.ts";
import { DatasetEnv, longestPrompt } from "../../llm/environments.ts";
import { type AgentPlan, type PlannedMemory, plannedMemory } from "../../llm/members.ts";
import { hubModelFolder, weightsOf } from "../../llm/models.ts";
import { dottedPath, type SpecIssue, type TrainingManifest } from "../../manifests/index.ts";
import { reasonOf } from "../../storage/files.ts";
import type { FileStore } from "../../storage/index.ts";
import { agentPlanOf } from "./agentPlanOf.ts";
import type { ActingChoice } from "./LlmWasmExecutor.ts";
import { tooLargeWhole } from "./llmPlan.ts";
import { modelFoldersOf } from "./modelFolders.ts";

/** Held-out prompts that an evaluation of SFT completes for display. */
export const SHOWN = 64;

const WORD = 4;

/** What a run needs, in bytes, on wasm with one thread. */
export interface LanguageEstimate extends PlannedMemory {
  /** Weights of the base. */
  readonly weights: number;
  /** A built-in base's copy in JavaScript; 0 for a folder, whose weights are on the device only. */
  readonly host_bytes: number;
  /** Policies of all members, each before and after its turn. */
  readonly population_bytes: number;
  readonly thread_bytes: number;
  readonly total_bytes: number;
  /** Tokens of the longest sequence. */
  readonly longest: number;
  /** What generates completions; `null` for an algorithm that learns from rows. */
  readonly acting: ActingChoice | null;
  /** For ONNX Runtime: if it acts, a part of `thread_bytes`; else once in the process, if it was measured. */
  readonly acting_bytes: number;
}

/** The result of reading a run's files. */
export interface LanguageNeeds {
  readonly issues: readonly SpecIssue[];
  readonly warnings: readonly string[];
  /** Null if there are issues. */
  readonly estimate: LanguageEstimate | null;
  /** The agents' plan, without the weights of the base; null if the base cannot be read. */
  readonly plan: AgentPlan | null;
}

interface Lengths {
  readonly prompt: number;
  readonly length: number;
}

/** Prompts and sequences in tokens, from the data where it is known; else the longest that are allowed. */
async function lengthsOf(
  { environment }: TrainingManifest,
  { parts, spec }: AgentPlan,
  most: number,
  store: FileStore,
): Promise<Lengths> {
  const { tokenizer } = parts;
  if (environment.env_type === "dataset") {
    const env = await DatasetEnv.fromSpec(environment, {
      tokenizer,
      data_batch_size_per_gpu: spec.batch_size,
      max_context_length: most,
      store,
    });
    let [prompt, length] = [1, 2];
    const read = () => {
      const batches = Math.ceil(env.length / env.data_batch_size_per_gpu);
      for (let i = 0; i < batches; i++) {
        const batch = env.reset();
        const ids = "input_ids" in batch ? batch.input_ids : batch.chosen_input_ids;
        length = Math.max(length, ids.shape[1] ?? 0);
        prompt = batch.prompt_lengths.reduce((a, b) => Math.max(a, b), prompt);
      }
    };
    read();
    env.evalMode(read);
    return { prompt, length };
  }
  if (environment.env_type !== "rollout") return { prompt: most, length: most };
  const found = await longestPrompt(environment, { tokenizer, store });
  const { max_output_tokens = null } = spec as { readonly max_output_tokens?: number | null };
  if (found === null || max_output_tokens === null || (environment.max_turns ?? 1) > 1)
    return { prompt: found ?? most, length: most };
  return { prompt: Math.min(found, most), length: Math.min(most, Math.max(2, found + max_output_tokens)) };
}

const issueAt = (segments: readonly string[], error: unknown): SpecIssue => ({
  code: "rule",
  path: dottedPath(segments),
  segments,
  message: reasonOf(error),
});

/** Most linear memory of WebAssembly. */
const MOST_LINEAR = 2 ** 32;

/**
 * Reads the folder of the base model (the headers of its weights) and the data, as a run would.
 * @param downloads What has to be downloaded from the hub first. Of a model there, the tokenizer and the headers are read;
 *   rows there count as the longest that are allowed.
 */
export async function languageNeeds(
  manifest: TrainingManifest,
  store: FileStore,
  downloads: readonly HubListing[] = [],
): Promise<LanguageNeeds> {
  const failed = (
    segments: readonly string[],
    error: unknown,
    known: AgentPlan | null = null,
  ): LanguageNeeds => ({
    issues: [issueAt(segments, error)],
    warnings: [],
    estimate: null,
    plan: known,
  });
  let plan: AgentPlan;
  try {
    const remote = downloads.find(({ kind }) => kind === "model");
    plan = await agentPlanOf(
      manifest,
      remote ? () => hubModelFolder(remote, { store }) : modelFoldersOf(store),
    );
  } catch (error) {
    return failed(["network", "pretrained_model_name_or_path"], error);
  }
  const { parts, spec } = plan;
  const most = Math.min(parts.config.max_position_embeddings, spec.max_model_len);
  let lengths: Lengths;
  try {
    const hasRows = downloads.every(({ kind }) => kind !== "dataset");
    lengths = hasRows ? await lengthsOf(manifest, plan, most, store) : { prompt: most, length: most };
  } catch (error) {
    return failed(["environment"], error, plan);
  }
  const turns = "max_turns" in manifest.environment ? (manifest.environment.max_turns ?? 1) : 1;
  // Loaded on demand, as by the executor: a page needs it only for a language model that generates.
  const choosing = "acting" in manifest.algorithm ? await import("./chooseActing.ts") : null;
  const acting = choosing ? await choosing.chooseActing(manifest, { store }) : null;
  const planned = await plannedMemory(plan, { ...lengths, turns, shown: SHOWN }, acting?.acts);
  const weights = weightsOf(parts.config).reduce(
    (all, { shape }) => all + shape.reduce((a, b) => a * b, 1),
    0,
  );
  const host_bytes = parts.built_in ? WORD * weights : 0;
  // A generation's results are all in memory before they replace the members.
  const population_bytes = 2 * manifest.training.pop_size * planned.adapter_bytes;
  const acting_bytes = choosing && acting ? choosing.actingBytes(acting, weights) : 0;
  const own_acting = acting?.acts === "onnxruntime" ? acting_bytes : 0;
  const thread_bytes = planned.used_bytes + host_bytes + own_acting;
  const estimate: LanguageEstimate = {
    ...planned,
    weights,
    host_bytes,
    population_bytes,
    thread_bytes,
    total_bytes: thread_bytes + population_bytes + (acting_bytes - own_acting),
    longest: lengths.length,
    acting,
    acting_bytes,
  };
  const over = planned.claimed_bytes > MOST_LINEAR;
  const lacks = estimate.total_bytes > machineMemory().bytes;
  if (spec.full_finetuning && (over || lacks)) {
    const inThread = `needs about ${megabytes(planned.claimed_bytes)} in one thread, WebAssembly has ${megabytes(MOST_LINEAR)}`;
    const issue = tooLargeWhole(over ? inThread : memoryNeed(estimate.total_bytes));
    return { issues: [issue], warnings: parts.warnings, estimate: null, plan };
  }
  const advice =
    "lower algorithm.micro_batch_size_per_gpu, algorithm.batch_size or network.max_context_length, set network.weight_storage: q8, or use a smaller model";
  const needed = `needs ${Math.ceil(planned.claimed_bytes / 2 ** 20)} MiB of WebAssembly's memory, found 4096 MiB; ${advice}`;
  return { issues: [], warnings: [...parts.warnings, ...(over ? [needed] : [])], estimate, plan };
}
