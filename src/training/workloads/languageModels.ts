/** The workload definition of language models. */
import { HyperparameterConfig } from "../../evolution/index.ts";
import { sharedHeap } from "../../kernels/devices.ts";
import { findAdapter } from "../../kernels/webgpu.ts";
import { ACTING_ENGINES, browserHasGpu, firstMember, type LlmMember } from "../../llm/members.ts";
import {
  CompletionLoggingConfig,
  evolutionSections,
  manifestToObject,
  parseManifestObject,
  type TrainingManifest,
} from "../../manifests/index.ts";
import { AutoExecutor, type GpuContender } from "../executors/AutoExecutor.ts";
import { LlmGpuExecutor, LlmWasmExecutor } from "../llm/LlmGpuExecutor.ts";
import { LLM_WORKLOAD, type LlmKinds, type LlmSetup, LlmWorkload } from "../llm/LlmWorkload.ts";
import { llmIssues, llmWarnings } from "../llm/llmIssues.ts";
import { llmPlanOf, rhythmOf, trainsLanguageModel } from "../llm/llmPlan.ts";
import { decodeMember, encodeMember } from "../llm/memberFile.ts";
import type { millisecondsOf } from "../llm/millisecondsOf.ts";
import type { Executor } from "../loop/executor.ts";
import { earlyStoppingOf } from "../loop/LoopPlan.ts";
import { firstState, type Member } from "../loop/Workload.ts";
import type { AskedDevice, DeviceChoice, WorkloadDefinition } from "../loop/WorkloadDefinition.ts";
import { drawn, evolutionOf } from "../plan/buildRun.ts";
import { llmSizeIssues, requireLlmSizes } from "../plan/llmSizes.ts";

const inSeconds = (ms: number): string => `${(ms / 1000).toPrecision(2)} s a generation`;

/** Loaded dynamically, because it is needed only if there is a GPU to measure. */
const measured: typeof millisecondsOf = async (...run) =>
  (await import("../llm/millisecondsOf.ts")).millisecondsOf(...run);

/**
 * Compares the GPU with WebAssembly, by the time of a generation.
 * @param gpu Executor that trains on the GPU.
 * @param timeOf Measures the milliseconds of a generation.
 */
export const llmContender = (
  gpu: Executor<LlmKinds>,
  timeOf: typeof millisecondsOf = measured,
): GpuContender<LlmKinds> => ({
  // onnxruntime selects the adapter itself.
  executorOn: async () => gpu,
  async compare({ setup, turns, wasm, measure }) {
    const onGpu = await measure((gate) => timeOf(gpu, setup, turns, gate));
    const onWasm = await measure((gate) => timeOf(wasm, setup, turns, gate));
    const [gpuTime, wasmTime] = [inSeconds(onGpu), inSeconds(onWasm)];
    return onGpu < onWasm
      ? { gpu, reason: `it takes about ${gpuTime} here, and WebAssembly ${wasmTime}` }
      : { gpu: null, reason: `it takes about ${wasmTime} here, and the GPU ${gpuTime}` };
  },
});

/**
 * The device that a language-model run trains on when `asked` is requested.
 * @param acting What is to generate completions; on a GPU, ONNX Runtime does.
 * @throws Error for "webgpu" outside a browser with WebGPU, and where kernels are to act.
 */
export function llmDeviceIn(asked: AskedDevice, acting?: unknown): DeviceChoice {
  if (acting === "kernels" && asked === "webgpu")
    throw new Error(
      'algorithm.acting: found "kernels", allowed "auto" and "onnxruntime" on device "webgpu", where ONNX Runtime trains and acts',
    );
  if (acting === "kernels") return { device: "wasm", notice: null };
  if (asked === "wasm" || browserHasGpu()) return { device: asked, notice: null };
  if (asked === "auto") return { device: "wasm", notice: null };
  throw new Error(
    'device: found "webgpu", which trains language models in a browser with WebGPU only; allowed here: "cpu", "wasm", "auto"',
  );
}

/** Default logging of completions. */
const COMPLETIONS = CompletionLoggingConfig.parse({ interval: 1, num_groups: 2 });

/**
 * Imported dynamically, so that models, tokenizers and data are loaded when training starts, not with the
 * page.
 */
const turnRunner: WorkloadDefinition<LlmKinds>["turnRunner"] = async (setup) =>
  (await import("../llm/LlmTurnRunner.ts")).llmTurnRunner(setup, requireLlmSizes);

/** Whether episodes count as correct above some return. */
const hasAccuracy = ({ environment }: TrainingManifest): boolean =>
  environment.env_type === "rollout" && environment.max_reward !== null;

/** Whether all members have completed `num_epochs` passes over their data set. */
const havePassed =
  (num_epochs: number) =>
  (members: readonly Member[]): boolean =>
    // Members of these runs have that type.
    (members as readonly LlmMember[]).every(({ passes }) => passes >= num_epochs);

/** Whether the members of a run share a base model from files. */
function sharesFiles(setup: LlmSetup): boolean {
  const { model, spec } = llmPlanOf(parseManifestObject(setup.manifest));
  return model !== null && !model.startsWith("rlkit/") && !spec.full_finetuning;
}

export const languageModels: WorkloadDefinition<LlmKinds> = {
  name: LLM_WORKLOAD,
  turnRunner,
  onWasm: (workers, onNotice) => new LlmWasmExecutor(workers, onNotice),
  standing: (setup) => {
    const heap = sharesFiles(setup) ? sharedHeap() : null;
    const joined = heap ? { ...setup, heap } : setup;
    return { hear: () => undefined, setup: () => joined, news: () => [] };
  },
  mostWorkers: (setup) =>
    sharesFiles(setup) && sharedHeap() === null
      ? {
          workers: 1,
          reason:
            "Threads cannot share memory here, so one worker trains all members with one copy of the base model; a page that is cross-origin isolated can use more.",
        }
      : null,
  executor: ({ device, wasm, onNotice }) => {
    const gpu = new LlmGpuExecutor({ open: turnRunner, onNotice });
    if (device === "webgpu") return gpu;
    return new AutoExecutor({ findAdapter, wasm, contender: llmContender(gpu), onNotice });
  },
  files: {
    encodeAgent: encodeMember,
    decodeAgent: decodeMember,
    directory: async (member, manifest, store) => {
      const { directoryOfMember } = await import("../llm/memberDirectory.ts");
      return directoryOfMember(member, manifest, store);
    },
    encodeShared: ({ special_tokens = true, seeded_rows = true, acts }, record) => ({
      files: new Map(),
      record: { workload: LLM_WORKLOAD, ...record, special_tokens, seeded_rows, ...(acts && { acts }) },
    }),
    // Runs of earlier versions do not have the fields.
    decodeShared: (record) => {
      const acts = ACTING_ENGINES.find((engine) => "acts" in record && record.acts === engine);
      return {
        special_tokens: "special_tokens" in record && record.special_tokens === true,
        seeded_rows: "seeded_rows" in record && record.seeded_rows === true,
        ...(acts && { acts }),
      };
    },
  },
  runs: {
    trains: trainsLanguageModel,
    issues: (manifest) => {
      const issues = llmIssues(manifest);
      return issues.length > 0 ? issues : llmSizeIssues(manifest);
    },
    warnings: llmWarnings,
    deviceOf: ({ algorithm }, asked) =>
      llmDeviceIn(asked, "acting" in algorithm ? algorithm.acting : undefined),
    prepare: (
      manifest,
      seed,
      population,
      { completion_logging = COMPLETIONS, modules = null, recipe } = {},
    ) => {
      const { selection, mutation, hp_config } = evolutionOf(manifest, seed, population, recipe);
      const { metrics, model, lora } = llmPlanOf(manifest);
      const { evaluation_interval, evo_steps } = rhythmOf(manifest);
      const { training } = manifest;
      return {
        plan: {
          max_steps: training.max_steps,
          max_steps_of: "population",
          target: training.target_score,
          early_stopping: earlyStoppingOf(training),
          max_wall_seconds: training.max_wall_seconds,
          evolve_every: evo_steps,
          fitness_window: training.fitness_window,
          final_episodes: evolutionSections(manifest, recipe).final_episodes,
          ...(training.num_epochs !== null && { finished: havePassed(training.num_epochs) }),
          checkpoints_by: "generations",
        },
        selection,
        mutation,
        workload: new LlmWorkload({
          manifest: manifestToObject(manifest),
          seed,
          hp_config: selection && mutation ? hp_config : new HyperparameterConfig(),
          evaluation_interval,
          max_steps: training.max_steps,
          eval_loop: training.eval_loop,
          completion_logging,
          modules,
          metrics: hasAccuracy(manifest) ? [...metrics, "accuracy"] : metrics,
          description: `${model}${lora === null ? "" : `, LoRA ${lora.lora_r}`}`,
        }),
      };
    },
    firstState: (manifest, seed) => {
      const { hp_config } = evolutionOf(manifest, seed);
      const { spec } = llmPlanOf(manifest);
      const members = Array.from({ length: manifest.training.pop_size }, (_, index) =>
        firstMember({ ...spec, ...drawn(hp_config, seed, index, spec) }, index),
      );
      // Nothing mutates before the first generation.
      return { ...firstState(members), started: true };
    },
    fetch: async (manifest, store, observer) =>
      (await import("../llm/LlmTurnRunner.ts")).fetchHubNeeds(manifest, { store }, observer),
    withWeights: async (state, manifest, seed, path, store) => {
      const { startingMembers } = await import("../llm/memberDirectory.ts");
      const { members, warnings } = await startingMembers(state.members, manifest, seed, path, store);
      return { state: { ...state, members }, warnings };
    },
    nextStage: async (state, manifest, seed, agent, store) => {
      const { handedOn } = await import("../llm/memberDirectory.ts");
      return { ...state, members: await handedOn(state.members, manifest, seed, agent, store) };
    },
    fromAgent: (state, _manifest, agent) => ({
      ...state,
      members: state.members.map((member) => ({ ...member, policy: structuredClone(agent.policy) })),
    }),
    fitted: (state) => state,
    facts: (manifest) => ({ manifest: manifestToObject(manifest) }),
  },
};
