import { expect, it } from "vitest";
import { type Device, WasmDevice } from "../../src/kernels/index.ts";
import { OnnxDevice } from "../../src/kernels/onnx/OnnxDevice.ts";
import { AgentCore } from "../../src/llm/agents/AgentCore.ts";
import { LLM_ALGORITHMS } from "../../src/llm/algorithms/registry.ts";
import { ModelOnDevice } from "../../src/llm/engine/ModelOnDevice.ts";
import { weightsOf } from "../../src/llm/models/ModelConfig.ts";
import { parseConfig } from "../../src/llm/models/parseConfig.ts";
import { numbers } from "../kernels/support/numbers.ts";
import { someExperiences, someLabelled } from "../llm/support/agents.ts";
import * as configs from "../llm/support/configs.ts";
import { specOf } from "../llm/support/specs.ts";

const base = { batch_size: 6, micro_batch_size_per_gpu: 4, lr: 0.001 } as const;
const CASES: any[] = [
  [
    "LLMPPO",
    "LLAMA",
    specOf("LLMPPO", { batch_size: 6, micro_batch_size_per_gpu: 4, lr_actor: 0.001, beta: 0.1 }),
  ],
  ["LLMREINFORCE", "QWEN2", specOf("LLMREINFORCE", base)],
  ["DPO", "GPT2", specOf("DPO", { ...base, nll_alpha: 0.5 })],
  ["SFT", "QWEN2", specOf("SFT", base)],
  [
    "GRPO",
    "GPT2",
    specOf("GRPO", { ...base, group_size: 3, importance_sampling_level: "turn", filter_zero_adv: true }),
  ],
];
async function on(device: Device, name: string, cfg: string, spec: any, whole: boolean) {
  const config = parseConfig((configs as any)[cfg], "config.json");
  const algorithm: any = (LLM_ALGORITHMS as any)[name];
  const next = numbers(3);
  const weights = new Map(
    weightsOf(config).map(({ name, shape }) => [
      name,
      Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => 0.6 * (next() - 0.5)),
    ]),
  );
  const targets = weightsOf(config)
    .filter(({ name }) => /proj|c_attn|c_fc/.test(name) && name.endsWith("weight"))
    .map(({ name }) => name);
  const tuning: any = whole
    ? { kind: "whole" }
    : { kind: "adapter", adapter: { rank: 2, scale: 2, targets } };
  const model = ModelOnDevice.open(config, whole ? null : weights, device, { positions: 32 });
  const core = new AgentCore(
    model,
    { tuning, reference: whole, critic: algorithm.kind === "rollout" && algorithm.critic },
    algorithm,
  );
  for (const n of [
    ...core.policy.names("actor"),
    ...core.policy.names("reference"),
    ...core.policy.names("critic"),
  ]) {
    const size = (await core.policy.read([n])).get(n)!.length;
    core.policy.write([[n, Float32Array.from({ length: size }, () => 0.6 * (next() - 0.5))]]);
  }
  const d = await core.decoding(2, 16);
  const logits = (await d.extend([[1, 2, 3], [4]])).slice();
  const place = { seed: 1, slot: 0, updates: 0 };
  const r =
    algorithm.kind === "rollout"
      ? await core.learnRollouts(someExperiences(), spec, place)
      : await core.learnLabelled(someLabelled({ rows: 12 }), spec, place);
  return {
    logits,
    metrics: r.metrics,
    weights: await core.policy.read([...core.policy.names("actor"), ...core.policy.names("critic")]),
  };
}
for (const whole of [true, false])
  it.each(CASES)("%s %s whole " + whole, async (name, cfg, spec) => {
    const gpu = await OnnxDevice.open({ provider: "webgpu" });
    const t = performance.now();
    const a = await on(gpu, name, cfg, spec, whole),
      b = await on(new WasmDevice(), name, cfg, spec, whole);
    let worst = 0;
    b.logits.forEach((v, i) => {
      worst = Math.max(worst, Math.abs(v - a.logits[i]!));
    });
    let w = 0;
    for (const [n, v] of b.weights)
      v.forEach((x, i) => {
        w = Math.max(w, Math.abs(x - a.weights.get(n)![i]!));
      });
    console.log(
      name,
      cfg,
      whole,
      "logits",
      worst,
      "weights",
      w,
      JSON.stringify(a.metrics),
      JSON.stringify(b.metrics),
      (performance.now() - t).toFixed(0),
    );
    expect(worst).toBeLessThan(1e-4);
    expect(w).toBeLessThan(3e-4);
    gpu.close();
  });
