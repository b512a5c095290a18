/** A run of a language model whose members learn and act on onnxruntime's GPU provider, on SwiftShader. */
import { afterEach, expect, it, vi } from "vitest";
import "../../../../src/kernels/onnx/included.ts";
import { firstMember } from "../../../../src/llm/members.ts";
import { parseManifestObject } from "../../../../src/manifests/index.ts";
import { LlmGpuExecutor } from "../../../../src/training/llm/LlmGpuExecutor.ts";
import { llmTurnRunner } from "../../../../src/training/llm/LlmTurnRunner.ts";
import { type LlmKinds, type LlmSetup } from "../../../../src/training/llm/LlmWorkload.ts";
import type { TurnOutcome } from "../../../../src/training/loop.ts";
import { LLM_WORKLOAD, llmPlanOf } from "../../../../src/training/workloads.ts";

const manifest = {
  algorithm: {
    name: "GRPO",
    batch_size: 2,
    group_size: 2,
    max_output_tokens: 1,
    max_model_len: 16,
    lr: 0.001,
  },
  environment: { env_type: "rollout", entrypoint: "rlkit/ConditionalTarget", max_turns: 1 },
  network: { pretrained_model_name_or_path: "rlkit/tiny-digits", max_context_length: 16 },
  training: { pop_size: 1, max_steps: 64, evo_steps: 1, eval_loop: 1 },
};
const setup: LlmSetup = { workload: LLM_WORKLOAD, members: 1, manifest, seed: 3, completion_logging: null };
const turn = {
  agent: firstMember(llmPlanOf(parseManifestObject(manifest)).spec, 0),
  turn: { slot: 0, generation: 1, evaluate: true },
};

afterEach(() => void vi.restoreAllMocks());

const resultOf = (outcome: TurnOutcome<LlmKinds> | undefined): LlmKinds["result"] => {
  if (!outcome?.ok) throw new Error(outcome?.message ?? "there is no outcome");
  return outcome.result;
};

async function onWasm(): Promise<LlmKinds["result"]> {
  const turnRunner = await llmTurnRunner(setup);
  const work = turnRunner.turn(turn.agent, turn.turn);
  for (;;) {
    const next = await work.next();
    if (!next.done) continue;
    turnRunner.close();
    return next.value;
  }
}

it("has the episodes and weights of wasm, also where the GPU is lost in between", async () => {
  const devices: GPUDevice[] = [];
  const { requestDevice } = GPUAdapter.prototype;
  vi.spyOn(GPUAdapter.prototype, "requestDevice").mockImplementation(async function (
    this: GPUAdapter,
    wanted,
  ) {
    const device = await requestDevice.call(this, wanted);
    devices.push(device);
    return device;
  });
  const notices: string[] = [];
  const executor = new LlmGpuExecutor({ open: llmTurnRunner, onNotice: (text) => notices.push(text) });
  await executor.open(setup);
  const steps: number[] = [];
  const [outcome] = await executor.generation([turn], [], ({ env_steps }) => {
    steps.push(env_steps);
    // It has learned, and is about to be evaluated.
    if (devices.length === 1) devices[0]?.destroy();
  });
  await executor.close();
  expect(devices).toHaveLength(2);
  expect(steps).toEqual([4, -4, 4]);
  expect(notices.join()).toMatch(/The GPU was lost .* member 0 runs again on a fresh device/);
  const [found, expected] = [resultOf(outcome), await onWasm()];
  expect(found).toMatchObject({ score: expected.score, fitness: expected.fitness, env_steps: 4 });
  expect(found.metrics.ratio_error).toBeLessThan(1e-4);
  for (const [name, values] of Object.entries(expected.agent.policy)) {
    const there = found.agent.policy[name];
    const worst = Math.max(...values.map((value, i) => Math.abs(value - (there?.[i] ?? Number.NaN))));
    expect(worst, `${name}`).toBeLessThan(1e-4);
  }
});
