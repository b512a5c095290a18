/** Devices of language-model runs: which one trains, and what happens when the GPU fails. */
import { describe, expect, it } from "vitest";
import { WasmDevice } from "../../../src/kernels/index.ts";
import { GpuFault } from "../../../src/kernels/webgpu.ts";
import { firstMember, type LlmMember } from "../../../src/llm/members.ts";
import { parseManifestObject } from "../../../src/manifests/index.ts";
import { AutoExecutor, type AutoExecutorOptions } from "../../../src/training/executors/AutoExecutor.ts";
import { InThreadExecutor } from "../../../src/training/index.ts";
import { LlmGpuExecutor } from "../../../src/training/llm/LlmGpuExecutor.ts";
import { withMemoryAdvice } from "../../../src/training/llm/LlmTurnRunner.ts";
import type { LlmKinds, LlmSetup } from "../../../src/training/llm/LlmWorkload.ts";
import { millisecondsOf } from "../../../src/training/llm/millisecondsOf.ts";
import type { Slice, TurnRunner } from "../../../src/training/loop.ts";
import { languageModels, llmContender, llmDeviceIn } from "../../../src/training/workloads/languageModels.ts";
import { specOf } from "../../llm/support/specs.ts";

const setup: LlmSetup = {
  workload: "language-models",
  members: 2,
  manifest: {},
  seed: 1,
  completion_logging: null,
};
const spec = specOf("SFT");
const turns = [0, 1].map((slot) => ({
  agent: firstMember(spec, slot),
  turn: { slot, generation: 1, evaluate: true },
}));

/** What happened, in order. */
interface Log {
  readonly events: string[];
}

/** A turn runner that counts a member's updates, and fails where it is told to: by its turns since the first turn runner. */
function turnRunners(name: string, failures: Readonly<Record<number, () => unknown>> = {}) {
  const log: Log = { events: [] };
  let count = 0;
  const open = async ({ device = "wasm" }: LlmSetup): Promise<TurnRunner<LlmKinds>> => {
    log.events.push(`open ${name} ${device}`);
    return {
      hear: () => undefined,
      async *turn(agent: LlmMember, { slot, evaluate }) {
        count++;
        log.events.push(`turn ${slot}${evaluate ? "" : " without evaluation"}`);
        yield { env_steps: 3, learn_steps: 1 };
        const failure = failures[count];
        if (failure) throw failure();
        return {
          slot,
          agent: { ...agent, updates: agent.updates + 1 },
          fitness: 0,
          score: 0,
          env_steps: 3,
          learn_steps: 1,
          metrics: {},
          warnings: [],
          level: false,
          completions: [],
        };
      },
      kernels: () => [],
      close: () => void log.events.push(`close ${name}`),
    };
  };
  return { open, log };
}

const lost = (): Error => new Error("onnxruntime", { cause: new GpuFault("lost", "the device was lost") });

function gpuOf(failures: Readonly<Record<number, () => unknown>> = {}) {
  const notices: string[] = [];
  const { open, log } = turnRunners("gpu", failures);
  return { executor: new LlmGpuExecutor({ open, onNotice: (text) => notices.push(text) }), log, notices };
}

async function oneGeneration(executor: { generation: LlmGpuExecutor["generation"] }) {
  const slices: Slice[] = [];
  const outcomes = await executor.generation(turns, [], (slice) => slices.push(slice));
  return { outcomes, steps: slices.reduce((sum, { env_steps }) => sum + env_steps, 0) };
}

describe("a GPU", () => {
  it("that is lost is opened anew, and the turn runs again from the member's last boundary", async () => {
    const { executor, log, notices } = gpuOf({ 2: lost });
    await executor.open(setup);
    const { outcomes, steps } = await oneGeneration(executor);
    expect(outcomes).toMatchObject([
      { ok: true, result: { slot: 0, agent: { updates: 1 } } },
      { ok: true, result: { slot: 1, agent: { updates: 1 } } },
    ]);
    expect(steps).toBe(6);
    expect(log.events).toEqual([
      "open gpu webgpu",
      "turn 0",
      "turn 1",
      "close gpu",
      "open gpu webgpu",
      "turn 1",
    ]);
    expect(notices).toEqual([
      "The GPU was lost (webgpu: the device was lost); the turn of member 1 runs again on a fresh device.",
    ]);
  });

  it("that is lost twice in a row ends the run, as one that refuses memory does at once", async () => {
    const twice = gpuOf({ 1: lost, 2: lost });
    await twice.executor.open(setup);
    await expect(oneGeneration(twice.executor)).rejects.toMatchObject({ kind: "lost" });
    const full = gpuOf({ 1: () => new GpuFault("out-of-memory", "out of GPU memory") });
    await full.executor.open(setup);
    await expect(oneGeneration(full.executor)).rejects.toThrow("webgpu: out of GPU memory");
    expect(full.log.events).toEqual(["open gpu webgpu", "turn 0", "close gpu"]);
  });

  it("trains on where a member fails by itself", async () => {
    const { executor } = gpuOf({ 1: () => new Error("the environment threw") });
    await executor.open(setup);
    const { outcomes } = await oneGeneration(executor);
    expect(outcomes).toMatchObject([
      { ok: false, slot: 0, message: "member 0 could not be trained: the environment threw" },
      { ok: true, result: { slot: 1 } },
    ]);
    await executor.close();
    await expect(oneGeneration(executor)).rejects.toThrow("generation() before open()");
  });
});

const adapterOf = (architecture: string): GPUAdapter =>
  // What it says of itself is all that is read.
  ({ info: { vendor: "", architecture, device: "", description: "" } }) as unknown as GPUAdapter;

function auto(
  {
    timeOf = async ({ device }) => (device === "webgpu" ? 100 : 250),
    ...options
  }: Partial<AutoExecutorOptions<LlmKinds>> & { readonly timeOf?: typeof millisecondsOf } = {},
  failures: Readonly<Record<number, () => unknown>> = {},
) {
  const notices: string[] = [];
  const onNotice = (text: string) => void notices.push(text);
  const gpu = turnRunners("gpu", failures);
  const wasm = turnRunners("wasm");
  const executor = new AutoExecutor<LlmKinds>({
    findAdapter: async () => adapterOf("acme"),
    contender: llmContender(new LlmGpuExecutor({ open: gpu.open, onNotice }), timeOf),
    wasm: new InThreadExecutor<LlmKinds>(wasm.open),
    onNotice,
    ...options,
  });
  return { executor, notices, gpu: gpu.log.events, wasm: wasm.log.events };
}

describe("auto", () => {
  it("takes the GPU where a generation is faster there, and says so", async () => {
    const { executor, gpu } = auto();
    await executor.open(setup);
    expect((await oneGeneration(executor)).outcomes).toMatchObject([{ ok: true }, { ok: true }]);
    expect(executor.device).toBe("webgpu");
    expect(executor.reason).toBe(
      "The GPU trains: it takes about 0.10 s a generation here, and WebAssembly 0.25 s a generation.",
    );
    expect(gpu).toEqual(["open gpu webgpu", "turn 0", "turn 1"]);
  });

  it("takes WebAssembly where that is faster, or there is no GPU, or only software", async () => {
    const slow = auto({ timeOf: async ({ device }) => (device === "webgpu" ? 500 : 250) });
    await slow.executor.open(setup);
    await oneGeneration(slow.executor);
    expect([slow.executor.device, slow.executor.reason]).toEqual([
      "wasm",
      "WebAssembly trains: it takes about 0.25 s a generation here, and the GPU 0.50 s a generation.",
    ]);
    const none = auto({ findAdapter: () => Promise.reject(new Error("no adapter")) });
    await none.executor.open(setup);
    expect(none.executor.reason).toBe("WebAssembly trains: no adapter.");
    const software = auto({ findAdapter: async () => adapterOf("swiftshader") });
    await software.executor.open(setup);
    await oneGeneration(software.executor);
    expect(software.executor.device).toBe("wasm");
    expect(software.wasm).toEqual(["open wasm wasm", "turn 0", "turn 1"]);
  });

  it("stays with what trained a run that goes on", async () => {
    for (const trainedOn of ["wasm", "webgpu"] as const) {
      const { executor } = auto({ timeOf: () => Promise.reject(new Error("measured")) });
      await executor.open({ ...setup, trainedOn });
      await oneGeneration(executor);
      expect(executor.device).toBe(trainedOn);
    }
    const gone = auto({ findAdapter: () => Promise.reject(new Error("no adapter")) });
    await gone.executor.open({ ...setup, trainedOn: "webgpu" });
    expect(gone.notices.join()).toMatch(
      /A GPU trained this run so far, but none is available here \(no adapter\)/,
    );
  });

  it("is told what trained a run that goes on", () => {
    const manifest = parseManifestObject({
      algorithm: { name: "GRPO", pretrained_model_name_or_path: "rlkit/tiny-digits" },
      environment: { env_type: "rollout", entrypoint: "rlkit/ConstantTarget" },
      training: { pop_size: 2, max_steps: 64 },
    });
    const { workload } = languageModels.runs.prepare(manifest, 1);
    const state = languageModels.runs.firstState(manifest, 1);
    expect(workload.setup(state)).toMatchObject({ members: 2, trainedOn: null });
    expect(workload.setup({ ...state, device: "webgpu" })).toMatchObject({ trainedOn: "webgpu" });
  });

  it("goes on with WebAssembly from the last boundary when the GPU is lost twice", async () => {
    const { executor, notices, wasm } = auto({}, { 2: lost, 3: lost });
    await executor.open(setup);
    const { outcomes, steps } = await oneGeneration(executor);
    expect(outcomes).toMatchObject([
      { ok: true, result: { agent: { updates: 1 } } },
      { ok: true, result: { agent: { updates: 1 } } },
    ]);
    expect(steps).toBe(6);
    expect(executor.device).toBe("wasm");
    expect(wasm).toEqual(["open wasm wasm", "turn 0", "turn 1"]);
    expect(notices.at(-1)).toBe(
      "The GPU failed (webgpu: the device was lost); the run continues with WebAssembly from its last generation boundary.",
    );
  });

  it("measures the second of two generations without evaluations, and drops both", async () => {
    const { open, log } = turnRunners("wasm");
    expect(await millisecondsOf(new InThreadExecutor<LlmKinds>(open), setup, turns)).toBeGreaterThan(0);
    const generation = ["turn 0 without evaluation", "turn 1 without evaluation"];
    expect(log.events).toEqual(["open wasm wasm", ...generation, ...generation, "close wasm"]);
    const failing = turnRunners("wasm", { 1: () => new Error("no room") });
    await expect(millisecondsOf(new InThreadExecutor<LlmKinds>(failing.open), setup, turns)).rejects.toThrow(
      "member 0 could not be trained: no room",
    );
  });
});

describe("memory that a device refuses", () => {
  it("is told in MiB, needed and found, with what to reduce", async () => {
    const device = new WasmDevice();
    const decl = { name: "huge", shape: [2 ** 30], dtype: "f32", shared: false } as const;
    const claim = async () => device.arena([decl, { ...decl, name: "more" }], {});
    await expect(withMemoryAdvice(claim)).rejects.toThrow(
      /out of memory: needed \d{4} MiB, found \d+ MiB; .*lower algorithm.micro_batch_size_per_gpu, .* lora_config.lora_r, or set network.weight_storage: q8$/,
    );
    const fault = new GpuFault("out-of-memory", "out of GPU memory, with 3 MiB of buffers requested");
    await expect(
      withMemoryAdvice(() => Promise.reject(new Error("program", { cause: fault }))),
    ).rejects.toThrow(/^program; of a language model: lower /);
    const other = new Error("else");
    await expect(withMemoryAdvice(() => Promise.reject(other))).rejects.toBe(other);
  });
});

describe("the device option", () => {
  it("knows no GPU for language models outside of browsers", () => {
    expect(llmDeviceIn("wasm")).toEqual({ device: "wasm", notice: null });
    expect(llmDeviceIn("auto")).toEqual({ device: "wasm", notice: null });
    expect(() => llmDeviceIn("webgpu")).toThrow(/device: found "webgpu", .* in a browser .* allowed here/);
  });
});

it("members of a search start at drawn rates, but for the first", () => {
  const manifest = parseManifestObject({
    algorithm: { name: "GRPO", pretrained_model_name_or_path: "rlkit/tiny-digits", lr: 1e-3 },
    environment: { env_type: "rollout", entrypoint: "rlkit/ConstantTarget" },
    training: { pop_size: 4, max_steps: 64, hpo: "search" },
    mutation: { rl_hp_selection: { lr: { min: 1e-5, max: 1e-2 } } },
  });
  const rates = (seed: number) =>
    languageModels.runs.firstState(manifest, seed).members.map(({ hyperparameters }) => hyperparameters.lr);
  expect(rates(1)[0]).toBe(1e-3);
  expect(new Set(rates(1)).size).toBe(4);
  expect(rates(1)).toEqual(rates(1));
  expect(rates(2)).not.toEqual(rates(1));
});
