/** Runs turns of language-model members in one thread. */

import { withFitness } from "../../evolution/fitness.ts";
import { AgentOnDevice } from "../../llm/agents/AgentOnDevice.ts";
import { DatasetRunner } from "../../llm/agents/DatasetRunner.ts";
import type { MemberRunner } from "../../llm/agents/iteration.ts";
import { RolloutRunner } from "../../llm/agents/RolloutRunner.ts";
import { withPolicy } from "../../llm/agents/withPolicy.ts";
import { DatasetEnv } from "../../llm/data/DatasetEnv.ts";
import { sampledRecords } from "../../llm/environments/completionLog.ts";
import type { LoggedCompletion } from "../../llm/environments/LoggedCompletion.ts";
import { RolloutHarness } from "../../llm/environments/RolloutHarness.ts";
import { foldersOf } from "../../llm/models/loadModelParts.ts";
import type { CompletionRecord } from "../../specs/CompletionRecord.ts";
import { parseManifestObject, type TrainingManifest } from "../../specs/index.ts";
import { defaultStore } from "../loop/defaultStore.ts";
import type { TrainingDevice } from "../loop/runState.ts";
import type { Bench } from "../loop/Workload.ts";
import { agentPlanOf } from "./agentPlanOf.ts";
import type { LlmKinds, LlmResult, LlmSetup } from "./kinds.ts";
import { rhythmOf } from "./llmPlan.ts";
import { openDevices } from "./openDevices.ts";
import { withMemoryAdvice } from "./withMemoryAdvice.ts";

/** Held-out prompts that an evaluation of SFT completes for people to read. */
const SHOWN = 64;

/** A runner, and what it runs on. */
export interface LlmStage {
  readonly runner: MemberRunner;
  readonly agent: AgentOnDevice;
}

async function runnerOf(manifest: TrainingManifest, agent: AgentOnDevice): Promise<MemberRunner> {
  const { environment, training } = manifest;
  const { tokenizer } = agent.plan.parts;
  const readText = async (path: string): Promise<string> =>
    new TextDecoder().decode(await (await defaultStore()).read(path));
  if (environment.env_type === "dataset") {
    const env = await DatasetEnv.fromSpec(environment, {
      tokenizer,
      data_batch_size_per_gpu: agent.plan.spec.batch_size,
      max_context_length: agent.max_model_len,
      readText,
    });
    return new DatasetRunner({ agent, env, eval_loop: training.eval_loop, shown: SHOWN });
  }
  if (environment.env_type !== "rollout")
    throw new TypeError(
      `environment.env_type: found "${environment.env_type}", allowed "rollout" and "dataset"`,
    );
  const { max_output_tokens = null } = agent.plan.spec as { readonly max_output_tokens?: number | null };
  const makeHarness = await RolloutHarness.factoryFromSpec(environment, {
    tokenizer,
    max_model_len: agent.max_model_len,
    max_output_tokens,
    readText,
  });
  return new RolloutRunner({
    agent,
    makeHarness,
    max_turns: rhythmOf(manifest).max_turns,
    eval_loop: training.eval_loop,
    eval_temperature: null,
    max_reward: environment.max_reward,
    io_timeout_s: environment.request_timeout_s ?? 600,
  });
}

/**
 * The stage that a manifest describes.
 * @throws Error naming the field for what is not there or not supported, or saying why there is no GPU.
 */
export async function stageOf(
  manifest: TrainingManifest,
  device: TrainingDevice = "wasm",
): Promise<LlmStage> {
  const plan = await agentPlanOf(manifest, foldersOf(await defaultStore()));
  const { learning, acting } = await openDevices(device);
  try {
    const agent = new AgentOnDevice(plan, learning, acting);
    return { agent, runner: await runnerOf(manifest, agent) };
  } catch (error) {
    for (const opened of new Set([learning, acting])) opened.close();
    throw error;
  }
}

export async function llmBench(setup: LlmSetup): Promise<Bench<LlmKinds>> {
  const stage = await withMemoryAdvice(() => stageOf(parseManifestObject(setup.manifest), setup.device));
  return benchOn(stage, setup, async () => {
    stage.agent.close();
    await stage.runner.close();
  });
}

/** A bench over a stage. @param close Called when it is closed. */
export function benchOn(
  { runner, agent }: LlmStage,
  { seed, completion_logging }: Pick<LlmSetup, "seed" | "completion_logging">,
  close: () => Promise<void>,
): Bench<LlmKinds> {
  const sampled = (
    step: number,
    slot: number,
    completions: readonly LoggedCompletion[],
  ): readonly CompletionRecord[] =>
    completion_logging === null ? [] : sampledRecords(step, slot, completions, completion_logging);
  return {
    hear: () => undefined,
    async *turn(before, { slot, generation, evaluate }) {
      const place = { seed, slot };
      const { member, score, steps, metrics, warnings, level, completions } = await withMemoryAdvice(() =>
        runner.iteration(withPolicy(agent.plan, before, seed), place),
      );
      yield { env_steps: steps, learn_steps: 1 };
      const evaluation = evaluate ? await withMemoryAdvice(() => runner.evaluate(member, place)) : null;
      const written = completion_logging === null ? [] : completions();
      const after = evaluation
        ? { ...member, fitness: withFitness(member.fitness, evaluation.fitness) }
        : member;
      return {
        slot,
        agent: after,
        fitness: evaluation?.fitness ?? Number.NaN,
        score,
        env_steps: steps,
        learn_steps: 1,
        metrics,
        warnings,
        level,
        completions: sampled(generation, slot, [...written, ...(evaluation?.completions ?? [])]),
      } satisfies LlmResult;
    },
    kernels: () => agent.kernels(),
    close: () => void close(),
  };
}
