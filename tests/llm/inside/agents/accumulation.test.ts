/** Gradients of several micro-batches that are added up: the step is that of one large micro-batch. */
import { expect, it } from "vitest";
import { type Device, WasmDevice } from "../../../../src/kernels/index.ts";
import "../../../../src/kernels/onnx/included.ts";
import { OnnxDevice } from "../../../../src/kernels/onnx/OnnxDevice.ts";
import { LLM_ALGORITHMS } from "../../../../src/llm/algorithms/registry.ts";
import type { LlmSpec } from "../../../../src/llm/algorithms.ts";
import { specOf } from "../../support/specs.ts";
import { someExperiences, someLabelled, tinyAgent } from "../support/agents.ts";
import { differences } from "../support/lossDifferences.ts";

// Adam's first step only has the gradients' signs; the second one, of the second pass, also their sizes.
const sizes = { batch_size: 6, update_epochs: 2, max_model_len: 32, lr: 0.001, max_grad_norm: 0.5 };
const group = { ...sizes, batch_size: 2, group_size: 3, beta: 0.1 };
const both = { loss_norm: "accumulation_window", filter_zero_adv: true, adv_filter_eps: 0.6 } as const;

const CASES: readonly (readonly [what: string, name: "SFT" | "DPO" | "KTO" | "GRPO", fields: object])[] = [
  ["SFT", "SFT", sizes],
  ["SFT of packed rows", "SFT", { ...sizes, use_sequence_packing: true }],
  ["DPO", "DPO", { ...sizes, nll_alpha: 0.5 }],
  ["KTO", "KTO", { ...sizes, beta: 0.5, desirable_weight: 2 }],
  ["GRPO", "GRPO", group],
  ["GRPO by token", "GRPO", { ...group, ...both }],
  ["GRPO with dapo", "GRPO", { ...group, loss_type: "dapo", filter_zero_adv: true }],
  ["GRPO with dr_grpo", "GRPO", { ...group, loss_type: "dr_grpo" }],
];

async function learned(name: (typeof CASES)[number][1], fields: object, device: Device) {
  const spec: LlmSpec = specOf(name, fields);
  const algorithm = LLM_ALGORITHMS[name];
  const { core, close } = tinyAgent({ algorithm, device });
  const place = { seed: 1, slot: 0, updates: 0 };
  const { sequences, action_mask } = someLabelled({ rows: name === "DPO" ? 12 : 6 });
  // No answer is in padding, which packing leaves out.
  const isToken = sequences.attention_mask.filter((_, i) => i % sequences.length > 0);
  const labelled = {
    sequences,
    action_mask: action_mask.map((own, i) => own * (isToken[i] ?? 0)),
    labels: Float32Array.of(1, 0, 0, 1, 0, 1),
  };
  const { metrics } =
    algorithm.kind === "rollout"
      ? await core.learnRollouts(someExperiences(), spec, place)
      : await core.learnLabelled(labelled, spec, place);
  const weights = await core.policy.read([...core.policy.names("actor"), ...core.policy.names("optimizers")]);
  close();
  return { metrics, weights };
}

const CHANGED = { micro_batch_size_per_gpu: 2, gradient_accumulation_steps: 3 };

it.each(CASES)("%s learns the same from three micro-batches as from one", async (_, name, fields) => {
  const whole = await learned(name, { ...fields, micro_batch_size_per_gpu: 6 }, new WasmDevice());
  const parts = await learned(name, { ...fields, ...CHANGED }, new WasmDevice());
  const steps = await learned(name, { ...fields, micro_batch_size_per_gpu: 2 }, new WasmDevice());
  expect(differences("loss", [parts.metrics.loss ?? Number.NaN], [whole.metrics.loss ?? 0])).toEqual([]);
  let moved = 0;
  for (const [weight, values] of whole.weights) {
    expect(differences(weight, parts.weights.get(weight) ?? [], values)).toEqual([]);
    moved += differences(weight, steps.weights.get(weight) ?? [], values).length;
  }
  expect(moved).toBeGreaterThan(100);
});

it("adds up the same gradients on onnxruntime", async () => {
  const [device, fields] = [await OnnxDevice.open({ provider: "cpu" }), { ...sizes, ...CHANGED }];
  const [own, there] = [await learned("DPO", fields, new WasmDevice()), await learned("DPO", fields, device)];
  // A weight's own step may be large where its gradient is only rounding.
  const moments = [...own.weights].filter(([name]) => name.startsWith("actor_optimizer.first"));
  expect(moments.length).toBeGreaterThan(10);
  for (const [name, values] of moments)
    expect(differences(name, there.weights.get(name) ?? [], values)).toEqual([]);
  device.close();
});
