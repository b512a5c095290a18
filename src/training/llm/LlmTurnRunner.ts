/** Runs the turns of language-model members in one thread. */

import { withFitness } from "../../evolution/members.ts";
import { OutOfMemoryError, type SharedHeap } from "../../kernels/devices.ts";
import { type Device, WasmDevice } from "../../kernels/index.ts";
import { GpuFault } from "../../kernels/webgpu.ts";
import {
  DatasetEnv,
  IO_TIMEOUT_S,
  type LoggedCompletion,
  RolloutHarness,
  rubricOf,
  sampledRecords,
} from "../../llm/environments.ts";
import {
  AgentOnDevice,
  DatasetRunner,
  type Evaluation,
  type LlmMember,
  type MemberRunner,
  openGpu,
  RolloutRunner,
  withPolicy,
} from "../../llm/members.ts";
import type { ModelConfig } from "../../llm/models.ts";
import type { UserModules } from "../../llm/modules.ts";
import { parseManifestObject, type TrainingManifest } from "../../manifests/index.ts";
import type { CompletionRecord, DatasetEnvSpec, RolloutEnvSpec } from "../../specs/sections.ts";
import { defaultStore, reasonOf } from "../../storage/files.ts";
import { warn } from "../../tracking/clients.ts";
import type { TrainingDevice, TurnRunner } from "../loop/Workload.ts";
import { agentPlanOf } from "./agentPlanOf.ts";
import type { LlmKinds, LlmResult, LlmSetup } from "./LlmWorkload.ts";
import { SHOWN } from "./languageNeeds.ts";
import { modelFoldersOf } from "./modelFolders.ts";
import { betweenAnswers } from "./modelLock.ts";
import { modulesOf } from "./modulesOf.ts";

const isOfMemory = (error: unknown): boolean =>
  error instanceof OutOfMemoryError ||
  (error instanceof GpuFault && error.kind === "out-of-memory") ||
  (error instanceof Error && isOfMemory(error.cause));

/**
 * Runs `work` of a language-model run.
 * @throws The error of `work`; if a device is out of memory, with advice on what to reduce.
 */
export async function withMemoryAdvice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!isOfMemory(cause)) throw cause;
    const advice =
      "of a language model: lower algorithm.micro_batch_size_per_gpu, network.max_context_length or lora_config.lora_r, or set network.weight_storage: q8";
    throw new Error(`${reasonOf(cause)}; ${advice}`, { cause });
  }
}

/** Does a part of a turn, while no chat answers. */
const inTurn = <T>(work: () => Promise<T>): Promise<T> => betweenAnswers(() => withMemoryAdvice(work));

/** @throws Error when there is no GPU for `webgpu`, or onnxruntime's files cannot be loaded. */
const openDevice = async (device: TrainingDevice, heap?: SharedHeap): Promise<Device> =>
  device === "wasm" ? new WasmDevice(heap) : openGpu();

/** A runner and the agent that it runs. */
export interface LlmStage {
  readonly runner: MemberRunner;
  readonly agent: AgentOnDevice;
}

async function datasetRunner(
  environment: DatasetEnvSpec,
  { eval_loop }: TrainingManifest["training"],
  agent: AgentOnDevice,
  modules: UserModules,
  seed: number | undefined,
): Promise<MemberRunner> {
  const env = await DatasetEnv.fromSpec(environment, {
    tokenizer: agent.plan.parts.tokenizer,
    data_batch_size_per_gpu: agent.plan.spec.batch_size,
    max_context_length: agent.max_model_len,
    store: await defaultStore(),
    rubric: await rubricOf(environment, modules),
    ...(seed !== undefined && { seed }),
  });
  return new DatasetRunner({ agent, env, eval_loop, shown: SHOWN });
}

/** @param modules Runs the modules that the environment names. */
async function rolloutRunner(
  environment: RolloutEnvSpec,
  { eval_loop }: TrainingManifest["training"],
  agent: AgentOnDevice,
  modules: UserModules,
  seed: number | undefined,
): Promise<MemberRunner> {
  const { max_output_tokens = null } = agent.plan.spec as { readonly max_output_tokens?: number | null };
  const makeHarness = await RolloutHarness.factoryFromSpec(environment, {
    tokenizer: agent.plan.parts.tokenizer,
    max_model_len: agent.max_model_len,
    max_output_tokens,
    store: await defaultStore(),
    modules,
  });
  return new RolloutRunner({
    agent,
    makeHarness,
    max_turns: environment.max_turns ?? 1,
    eval_loop,
    max_reward: environment.max_reward,
    ...(seed !== undefined && { row_seed: seed }),
    // The deadline of a round is never shorter than that of a single answer.
    io_timeout_s: Math.max(IO_TIMEOUT_S, environment.request_timeout_s ?? 0),
  });
}

export { fetchHubNeeds } from "./hubNeeds.ts";

/** Compares what a run needs with what there is, before anything is allocated on its device. */
export type RequireFits = (manifest: TrainingManifest, config: ModelConfig) => void;

/** A stage of a manifest that owns the resources it opened. */
interface OpenStage extends LlmStage {
  close(): Promise<void>;
}

/**
 * Opens the stage that a manifest describes.
 * @throws Error naming the field that is missing or unsupported, or with the reason that there is no GPU.
 */
export async function stageOf(
  manifest: TrainingManifest,
  {
    device = "wasm",
    modules: texts,
    special_tokens = true,
    heap,
    acts,
    seeded_rows = true,
    seed: given,
  }: Partial<
    Pick<LlmSetup, "device" | "modules" | "special_tokens" | "seeded_rows" | "heap" | "acts" | "seed">
  > = {},
  requireFits: RequireFits = () => undefined,
): Promise<OpenStage> {
  const { environment, training } = manifest;
  const seed = seeded_rows ? given : undefined;
  const plan = await agentPlanOf(manifest, modelFoldersOf(await defaultStore()), { special_tokens });
  // A GPU has its own limits.
  if (device === "wasm") requireFits(manifest, plan.parts.config);
  const on = await openDevice(device, heap);
  const opened: { close(): void }[] = [on];
  try {
    const agent = await AgentOnDevice.open(plan, on, acts);
    opened.splice(0, opened.length, agent);
    if (environment.env_type !== "rollout" && environment.env_type !== "dataset")
      throw new TypeError(
        `environment.env_type: found "${environment.env_type}", allowed "rollout" and "dataset"`,
      );
    const modules = await modulesOf(environment, texts);
    opened.push(modules);
    const runner =
      environment.env_type === "dataset"
        ? await datasetRunner(environment, training, agent, modules, seed)
        : await rolloutRunner(environment, training, agent, modules, seed);
    return {
      agent,
      runner,
      close: async () => {
        agent.close();
        await runner.close().finally(() => modules.close());
      },
    };
  } catch (error) {
    for (const one of opened) one.close();
    throw error;
  }
}

/** @param requireFits Throws SpecError if the run needs more than there is for its model. */
export async function llmTurnRunner(
  setup: LlmSetup,
  requireFits?: RequireFits,
): Promise<TurnRunner<LlmKinds>> {
  const manifest = parseManifestObject(setup.manifest);
  const open = async (own: LlmSetup): Promise<TurnRunner<LlmKinds>> => {
    const stage = await withMemoryAdvice(() => stageOf(manifest, own, requireFits));
    return turnRunnerOn(stage, own, () => stage.close());
  };
  const { heap, ...alone } = setup;
  return heap
    ? sharingTurnRunner(
        () => open(setup),
        () => open(alone),
      )
    : open(alone);
}

const OWN_BASE =
  "the memory that the run's threads share is full, so a thread has a copy of the base model of its own; to avoid this, use fewer workers, or lower algorithm.micro_batch_size_per_gpu or network.max_context_length";

/**
 * A turn runner on memory that other threads use too. If that is full, it goes on in memory of its own, and repeats its turn;
 * that is safe, because a member is plain data.
 */
async function sharingTurnRunner(
  shared: () => Promise<TurnRunner<LlmKinds>>,
  own: () => Promise<TurnRunner<LlmKinds>>,
): Promise<TurnRunner<LlmKinds>> {
  let isOwn = false;
  const alone = (error: unknown, before?: TurnRunner<LlmKinds>): Promise<TurnRunner<LlmKinds>> => {
    if (isOwn || !isOfMemory(error)) throw error;
    isOwn = true;
    before?.close();
    return own();
  };
  let turnRunner = await shared().catch((error: unknown) => alone(error));
  return {
    hear: () => undefined,
    async *turn(member, turn) {
      for (let reported = 0; ; ) {
        let slices = 0;
        try {
          const steps = turnRunner.turn(member, turn);
          for (let step = await steps.next(); ; step = await steps.next()) {
            if (step.done)
              return isOwn ? { ...step.value, warnings: [...step.value.warnings, OWN_BASE] } : step.value;
            // Those of a first attempt are not repeated.
            if (++slices <= reported) continue;
            reported = slices;
            yield step.value;
          }
        } catch (error) {
          turnRunner = await alone(error, turnRunner);
        }
      }
    },
    kernels: () => turnRunner.kernels(),
    close: () => turnRunner.close(),
  };
}

/** The result of a turn that only evaluates a member, which stays as it is. */
const evaluated = (
  slot: number,
  agent: LlmMember,
  { fitness, reward_faults = [] }: Evaluation,
): LlmResult => ({
  slot,
  agent,
  fitness,
  reward_faults,
  score: null,
  env_steps: 0,
  learn_steps: 0,
  metrics: {},
  warnings: [],
  level: false,
  completions: [],
});

/** Creates a turn runner over a stage. @param close Called when the turn runner is closed. */
export function turnRunnerOn(
  { runner, agent }: LlmStage,
  { seed, completion_logging }: Pick<LlmSetup, "seed" | "completion_logging">,
  close: () => Promise<void>,
): TurnRunner<LlmKinds> {
  const sampled = (
    step: number,
    slot: number,
    completions: readonly LoggedCompletion[],
  ): readonly CompletionRecord[] =>
    completion_logging === null ? [] : sampledRecords(step, slot, completions, completion_logging);
  return {
    hear: () => undefined,
    async *turn(before, { slot, generation, evaluate, episodes, tells_episodes, progress = 0 }) {
      const place = { seed, slot, progress };
      if (episodes) {
        const evaluation = await inTurn(async () =>
          runner.evaluate(await withPolicy(agent.plan, before, seed), place, episodes),
        );
        return evaluated(slot, before, evaluation);
      }
      const shows = completion_logging !== null && generation === 1;
      const first = shows
        ? await inTurn(async () => runner.shownBy?.(await withPolicy(agent.plan, before, seed)))
        : null;
      const { member, score, returns, steps, metrics, warnings, level, completions, ...played } =
        await inTurn(async () => runner.iteration(await withPolicy(agent.plan, before, seed), place));
      // The episodes of an iteration count as ended together, when the member has learnt from them.
      const training = tells_episodes && returns?.map((ret): [number, number] => [member.steps, ret]);
      yield { env_steps: steps, learn_steps: 1, ...(training && { episodes: training }) };
      const evaluation = evaluate ? await inTurn(() => runner.evaluate(member, place)) : null;
      const written = completion_logging === null ? [] : completions();
      const after = evaluation
        ? { ...member, fitness: withFitness(member.fitness, evaluation.fitness) }
        : member;
      return {
        slot,
        agent: after,
        fitness: evaluation?.fitness ?? Number.NaN,
        score,
        ...(training && { training }),
        env_steps: steps,
        learn_steps: 1,
        metrics,
        warnings,
        reward_faults: [...(played.reward_faults ?? []), ...(evaluation?.reward_faults ?? [])],
        level,
        completions: [
          ...sampled(0, slot, first ?? []),
          ...sampled(generation, slot, [...written, ...(evaluation?.completions ?? [])]),
        ],
      } satisfies LlmResult;
    },
    kernels: () => agent.kernels(),
    close: () =>
      void close().catch((error: unknown) => warn(`an environment was not closed: ${reasonOf(error)}`)),
  };
}
