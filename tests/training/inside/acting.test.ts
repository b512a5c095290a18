/** What generates the completions of a run on wasm: asked for, measured, kept with the run. */
import { describe, expect, it } from "vitest";
import { parseManifestObject } from "../../../src/manifests/index.ts";
import { memoryFileStore } from "../../../src/storage/index.ts";
import { actingBytes, chooseActing } from "../../../src/training/llm/chooseActing.ts";
import { LlmWasmExecutor } from "../../../src/training/llm/LlmWasmExecutor.ts";
import type { LlmKinds, LlmSetup } from "../../../src/training/llm/LlmWorkload.ts";
import { languageNeeds } from "../../../src/training/llm/languageNeeds.ts";
import { llmIssues } from "../../../src/training/llm/llmIssues.ts";
import type { Executor } from "../../../src/training/loop.ts";
import { languageModels, llmDeviceIn } from "../../../src/training/workloads/languageModels.ts";
import { modelFolder } from "../../llm/support/modelFolder.ts";

const manifestOf = (algorithm: object, model = "m") =>
  parseManifestObject({
    algorithm: { name: "GRPO", batch_size: 2, group_size: 3, ...algorithm },
    environment: { env_type: "rollout", entrypoint: "rlkit/ConstantTarget" },
    network: { pretrained_model_name_or_path: model, max_context_length: 32, lora_config: { lora_r: 2 } },
    training: { pop_size: 1, hpo: false },
  } as never);

async function store() {
  const files = memoryFileStore();
  for (const [name, bytes] of modelFolder()) await files.write(`m/${name}`, bytes);
  return files;
}

/** What would be measured: milliseconds of a token. */
const speed =
  (onnxruntime: number, kernels: number) => async (_config: unknown, _tuning: unknown, rows: number) => {
    measured.push(rows);
    return { layers: 2, weights: 9, milliseconds: { onnxruntime, kernels } };
  };
const measured: number[] = [];

describe("auto", () => {
  it("takes ONNX Runtime for a folder's model unless kernels are more than 1.25 times as fast", async () => {
    const choose = async (onnxruntime: number, kernels: number) =>
      chooseActing(manifestOf({}), { measure: speed(onnxruntime, kernels), store: await store() });
    expect(await choose(2.4, 2)).toEqual({
      acts: "onnxruntime",
      reason: "a token of 6 rows in 2 layers takes 2.4 ms here, and 2.0 ms with rlkit's kernels",
      measured_weights: 9,
    });
    expect(await choose(2.6, 2)).toEqual({
      acts: "kernels",
      reason: "a token of 6 rows in 2 layers takes 2.0 ms here, and 2.6 ms with ONNX Runtime",
      measured_weights: 9,
    });
    expect(measured.splice(0)).toEqual([6, 6]);
  });

  it.each(["f16", "q8"])(
    "takes kernels for weights in %s, which ONNX Runtime cannot read",
    async (storage) => {
      const manifest = manifestOf({});
      const network = { ...manifest.network, weight_storage: storage };
      const choose = (algorithm: object) =>
        parseManifestObject({
          ...manifest,
          algorithm: { ...manifest.algorithm, ...algorithm },
          network,
        } as never);
      expect(await chooseActing(choose({}), { measure: speed(1, 100), store: await store() })).toEqual({
        acts: "kernels",
        reason: `only they read weights in ${storage} (network.weight_storage)`,
      });
      expect(measured.splice(0)).toEqual([]);
      expect(llmIssues(choose({ acting: "onnxruntime" }))).toMatchObject([
        {
          path: "network.weight_storage",
          message: `found "${storage}", allowed "f32" with algorithm.acting onnxruntime`,
        },
      ]);
    },
  );

  it("says why kernels act where ONNX Runtime cannot", async () => {
    const measure = () => Promise.reject(new Error("no such package"));
    const found = await chooseActing(manifestOf({}), { measure, store: await store() });
    expect(found).toEqual({ acts: "kernels", reason: "ONNX Runtime cannot act here (no such package)" });
  });

  it("takes no memory for what was neither measured nor acts", () => {
    expect(actingBytes({ acts: "kernels", reason: "no such package" }, 1000)).toBe(0);
    expect(actingBytes({ acts: "kernels", reason: "slower", measured_weights: 10 }, 1000)).toBe(225e6 + 70);
    expect(actingBytes({ acts: "onnxruntime", reason: "faster", measured_weights: 10 }, 1000)).toBe(
      225e6 + 7000,
    );
  });

  it("measures nothing for a built-in model, nor where a manifest says what acts", async () => {
    const measure = speed(1, 100);
    const chosen = (algorithm: object, model?: string) =>
      chooseActing(manifestOf(algorithm, model), { measure, store: memoryFileStore() });
    expect(await chosen({}, "rlkit/tiny-digits")).toEqual({ acts: "kernels", reason: null });
    for (const acting of ["onnxruntime", "kernels"] as const)
      expect(await chosen({ acting })).toEqual({ acts: acting, reason: "the manifest says so" });
    expect(measured.splice(0)).toEqual([]);
  });

  it("measures both on a model's layers", async () => {
    const choice = await chooseActing(manifestOf({}), { store: await store() });
    const { acts, reason, measured_weights } = choice;
    expect(["onnxruntime", "kernels"]).toContain(acts);
    expect(reason).toMatch(/^a token of 6 rows in 2 layers takes [\d.e+]+ ms here, and [\d.e+]+ ms with /);
    // The model is smaller than the part of a large one.
    const { estimate } = await languageNeeds(manifestOf({}), await store());
    expect(measured_weights).toBe(estimate?.weights);
    // ONNX Runtime takes its place, whether it acts or not.
    expect(estimate?.acting_bytes).toBe(actingBytes(choice, measured_weights ?? 0));
    expect(estimate?.acting_bytes).toBeGreaterThan(7 * (measured_weights ?? Infinity));
    const {
      acting,
      acting_bytes = 0,
      used_bytes = 0,
      thread_bytes,
      total_bytes,
      population_bytes = 0,
    } = estimate ?? {};
    expect(total_bytes).toBe(used_bytes + acting_bytes + population_bytes);
    expect(thread_bytes).toBe(used_bytes + (acting?.acts === "onnxruntime" ? acting_bytes : 0));
  });
});

const setup: LlmSetup = {
  workload: "language-models",
  manifest: {},
  seed: 1,
  completion_logging: null,
  trainedOn: null,
};

/** An executor that has chosen onnxruntime, and what it opened. */
function executorOf() {
  const [opened, notices]: [unknown[], string[]] = [[], []];
  const wasm = {
    device: "wasm",
    label: "wasm",
    open: async ({ acts }: LlmSetup) => void opened.push(acts),
    close: async () => undefined,
  } as unknown as Executor<LlmKinds>; // Nothing else is called.
  let choices = 0;
  const choose = async () => {
    choices++;
    return { acts: "onnxruntime" as const, reason: "it is fast" };
  };
  const executor = new LlmWasmExecutor(wasm, (text) => notices.push(text), choose);
  return { executor, opened, notices, choices: () => choices };
}

describe("a run", () => {
  it("chooses once, tells it and keeps it", async () => {
    const { executor, opened, notices, choices } = executorOf();
    await executor.open(setup);
    await executor.open(setup);
    expect([choices(), opened]).toEqual([1, ["onnxruntime", "onnxruntime"]]);
    expect(executor.measured).toEqual({ acts: "onnxruntime" });
    expect(notices).toEqual(["Completions are generated by ONNX Runtime: it is fast."]);
    expect(executor.reason).toBe(notices[0]);
  });

  it("goes on with what acted before, and with kernels if it is of an earlier version", async () => {
    const again = executorOf();
    await again.executor.open({ ...setup, trainedOn: "wasm", acts: "kernels" });
    const old = executorOf();
    await old.executor.open({ ...setup, trainedOn: "wasm" });
    expect([again.opened, old.opened]).toEqual([["kernels"], ["kernels"]]);
    expect([again.choices(), old.choices(), ...again.notices, ...old.notices]).toEqual([0, 0]);
    expect(old.executor.measured).toEqual({});
  });

  it("has what acts in its record, if it was chosen", () => {
    const { encodeShared, decodeShared } = languageModels.files;
    const recordOf = (shared: object) => encodeShared(shared as never, {} as never).record;
    expect(recordOf({})).not.toHaveProperty("acts");
    expect(decodeShared(recordOf({ acts: "onnxruntime" }) as never, new Map(), "")).toMatchObject({
      acts: "onnxruntime",
    });
    expect(decodeShared({ acts: "something" } as never, new Map(), "")).not.toHaveProperty("acts");
  });
});

it("kernels act on WebAssembly only", () => {
  expect(llmDeviceIn("auto", "kernels").device).toBe("wasm");
  expect(() => llmDeviceIn("webgpu", "kernels")).toThrow(
    'algorithm.acting: found "kernels", allowed "auto" and "onnxruntime" on device "webgpu"',
  );
});
