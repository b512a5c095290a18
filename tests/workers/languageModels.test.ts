/** Runs of language models in a workbench: starting, showing, saving and resuming them. */
import { unzipSync } from "fflate";
import { afterEach, describe, expect, it } from "vitest";
import { LanguageModel, LoraAdapter } from "../../src/llm/index.ts";
import { type FileStore, memoryFileStore, memoryRunLocks } from "../../src/storage/index.ts";
import { InThreadExecutor } from "../../src/training/index.ts";
import type { MakeExecutor } from "../../src/workers/coordinator.ts";
import { TestWorkbench, type WorkbenchOptions } from "./support/workbench.ts";

const makeExecutor: MakeExecutor = ({ definition }) =>
  new InThreadExecutor((setup) => definition.turnRunner(setup));

const open: TestWorkbench[] = [];
async function workbench(options: WorkbenchOptions = {}): Promise<TestWorkbench> {
  const made = await new TestWorkbench({ makeExecutor, ...options }).open();
  open.push(made);
  return made;
}
afterEach(() => {
  for (const made of open.splice(0)) made.close();
});

const SEED = 3;

/** Two members that answer each of four prompts with a digit, four times. */
const digits = ({ max_steps = 96 } = {}) => ({
  algorithm: {
    name: "GRPO",
    batch_size: 4,
    group_size: 4,
    micro_batch_size_per_gpu: 16,
    lr: 0.001,
    max_output_tokens: 1,
    max_model_len: 32,
  },
  environment: { env_type: "rollout", name: "digits", entrypoint: "rlkit/ConditionalTarget", max_turns: 1 },
  network: { pretrained_model_name_or_path: "rlkit/tiny-digits", max_context_length: 32 },
  training: { pop_size: 2, max_steps, evo_steps: 2, evaluation_interval: 2, eval_loop: 4 },
  mutation: {
    probabilities: { no_mut: 0, arch_mut: 0, new_layer: 0, params_mut: 0, act_mut: 0, rl_hp_mut: 1 },
    rl_hp_selection: { lr: { min: 0.0001, max: 0.01 } },
  },
  selection_strategy: { tournament_size: 2, elitism: true },
});

/** Unpacks a zip into the folder `elite` of a new store. */
async function unpack(zip: Uint8Array): Promise<FileStore> {
  const store = memoryFileStore();
  for (const [name, bytes] of Object.entries(unzipSync(zip))) await store.write(`elite/${name}`, bytes);
  return store;
}

const endless = () => digits({ max_steps: 100_000_000 });

describe("a run of language models", () => {
  it("trains to its end, and tells completions before each report", async () => {
    const bench = await workbench();
    const id = await bench.trainToEnd(digits(), SEED);
    const { summary, columns, notices, failure } = await bench.coordinator.snapshot(id);
    expect([failure, notices]).toEqual([null, []]);
    expect(summary).toMatchObject({
      name: "GRPO digits",
      state: "finished",
      algorithm: "GRPO",
      environment: "digits",
      generation: 3,
      global_step: 96,
    });
    // Two groups of four completions per member.
    expect(
      bench.events.flatMap((event) => {
        if (event.kind === "completions") return `${event.report.generation}: ${event.report.records.length}`;
        return event.kind === "generation" ? `${event.report.generation}` : [];
      }),
    ).toEqual(["1: 16", "1", "2: 16", "2", "3: 16", "3"]);
    // Members are evaluated in every second iteration.
    expect([...columns.fitness].map(Number.isFinite)).toEqual([false, false, true, true, false, false]);
    expect(summary.best_fitness).toBe(Math.max(...columns.fitness.slice(2, 4)));
  });

  it("has the latest completions in the next tab, and its elite as a zip of its directory", async () => {
    const disk = memoryFileStore();
    const bench = await workbench({ files: disk });
    const id = await bench.trainToEnd(digits(), SEED);
    const told = bench.events.flatMap((event) => (event.kind === "completions" ? [event.report] : []));

    const { coordinator } = await workbench({ files: disk });
    const { completions } = await coordinator.snapshot(id);
    expect(completions.at(-1)).toEqual(told.at(-1));
    for (const report of completions) expect(told).toContainEqual(report);
    const { name, bytes } = await coordinator.downloadElite(id);
    expect(name).toBe("digits-GRPO-elite.zip");
    const unpacked = await unpack(bytes);
    expect((await unpacked.list("elite")).map((file) => file.name)).toEqual([
      "actor",
      "attributes.json",
      "checksums.json",
      "optimizer.safetensors",
      "reference",
    ]);
    // All weights were trained, not an adapter.
    const model = await LanguageModel.load("elite/actor", { store: unpacked });
    expect(model.config.family).toBe("llama");
    model.close();
    await expect(coordinator.downloadPolicy(id)).rejects.toThrow("no policy to export");
    const metrics = new TextDecoder().decode((await coordinator.downloadMetrics(id)).bytes);
    expect(metrics.split("\n")[0]).toContain("loss");
  });

  it("trained by an adapter, has PEFT's files in its elite", async () => {
    const bench = await workbench();
    const lora_config = { lora_r: 4, lora_alpha: 8 };
    const { network } = digits();
    const short = { ...digits({ max_steps: 32 }), network: { ...network, lora_config } };
    const id = await bench.trainToEnd(short, SEED);
    const store = await unpack((await bench.coordinator.downloadElite(id)).bytes);
    const adapter = await LoraAdapter.load("elite/actor", { store });
    const shapes = [...adapter.tensors].map(([name, { shape }]) => `${name} ${shape.join(" ")}`);
    expect(shapes).toContain("base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight 4 64");
  });

  it("held, stopped, interrupted and resumed ends with the bits of one that was not", async () => {
    const calm = await workbench();
    const expected = await calm.outcome(await calm.trainToEnd(digits(), SEED));

    const disk = memoryFileStore();
    const locks = memoryRunLocks();
    const first = await workbench({ files: disk, locks });
    const id = await first.coordinator.start(digits(), { seed: SEED });
    await first.untilGeneration(id, 1);
    await first.coordinator.pause(id);
    await first.coordinator.resume(id);
    await first.coordinator.stop(id);
    const { summary } = await first.coordinator.snapshot(id);
    expect(summary.state).toBe("stopped");

    const second = await workbench({ files: disk, locks });
    await second.coordinator.resume(id);
    await second.nextState(id, "finished");
    expect(await second.outcome(id)).toEqual(expected);
    const { completions } = await second.coordinator.snapshot(id);
    expect(completions.at(-1)?.generation).toBe(3);
  });

  it("shows the kernels of its model while it trains", async () => {
    const bench = await workbench();
    const id = await bench.coordinator.start(endless(), { seed: SEED });
    await bench.untilGeneration(id, 1);
    expect((await bench.coordinator.kernels(id))?.length).toBeGreaterThan(1);
    await bench.coordinator.stop(id);
    expect(await bench.coordinator.kernels(id)).toBeNull();
  });

  it("is refused, or fails, with the field that asks for what is not there", async () => {
    const bench = await workbench();
    const network = { pretrained_model_name_or_path: "rlkit/large", max_context_length: 32 };
    await expect(bench.coordinator.start({ ...digits(), network })).rejects.toThrow(
      'network.pretrained_model_name_or_path: found "rlkit/large", allowed rlkit/tiny-digits, rlkit/tiny-letters',
    );
    const elsewhere = { ...digits().environment, entrypoint: "rlkit/Elsewhere" };
    await expect(bench.coordinator.start({ ...digits(), environment: elsewhere })).rejects.toThrow(
      'environment.entrypoint: found "rlkit/Elsewhere", allowed a built-in id (rlkit/ConstantTarget, rlkit/ConditionalTarget',
    );
    const environment = { ...digits().environment, env_config: { size: 9 } };
    const id = await bench.trainToEnd({ ...digits(), environment }, SEED);
    const { failure } = await bench.coordinator.snapshot(id);
    expect(failure).toContain("env_config.size");
  });
});
