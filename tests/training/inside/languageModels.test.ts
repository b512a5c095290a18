/** Runs of language models: the same loop, with members that generate, learn and evolve. */
// @apart: its programs and devices fill much memory.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import type { LlmMember } from "../../../src/llm/members.ts";
import { parseManifestObject } from "../../../src/manifests/index.ts";
import { decodeSafetensors, type FileStore, memoryFileStore } from "../../../src/storage/index.ts";
import { Accelerator, LocalTrainer, type TrainingEvent } from "../../../src/training/index.ts";
import { languageModels } from "../../../src/training/workloads/languageModels.ts";
import { workloadIssues } from "../../../src/training/workloads/registry.ts";
// Brings in the pool of workers.
import "../../../src/workers/index.ts";

const NO_OTHER_MUTATION = {
  no_mut: 0.2,
  arch_mut: 0,
  new_layer: 0,
  params_mut: 0,
  act_mut: 0,
  rl_hp_mut: 0.8,
};

const evolution = {
  mutation: { probabilities: NO_OTHER_MUTATION, rl_hp_selection: { lr: { min: 1e-4, max: 5e-3 } } },
  selection_strategy: { tournament_size: 2, elitism: true },
};

const rollouts = (changes: object = {}, training: object = {}) => ({
  algorithm: {
    name: "GRPO",
    batch_size: 8,
    group_size: 4,
    beta: 0,
    lr: 0.002,
    temperature: 0.7,
    max_grad_norm: 1,
    max_output_tokens: 1,
    ...changes,
  },
  environment: { env_type: "rollout", entrypoint: "rlkit/ConstantTarget", max_turns: 1, max_reward: 1 },
  network: { pretrained_model_name_or_path: "rlkit/tiny-digits", max_context_length: 16 },
  training: { pop_size: 2, max_steps: 640, evo_steps: 4, evaluation_interval: 2, eval_loop: 16, ...training },
  ...evolution,
});

const rows = (algorithm: object, dataset: string, objective: string, training: object = {}) => ({
  algorithm: { batch_size: 32, max_grad_norm: 1, ...algorithm },
  environment: { env_type: "dataset", dataset, objective },
  network: { pretrained_model_name_or_path: "rlkit/tiny-letters", max_context_length: 64 },
  training: {
    pop_size: 2,
    max_steps: 1280,
    evo_steps: 10,
    evaluation_interval: 10,
    eval_loop: 2,
    ...training,
  },
  ...evolution,
});

interface Options {
  readonly workers?: number;
  readonly store?: FileStore;
  readonly from?: string;
}

async function trained(manifest: object, { workers = 1, store = memoryFileStore(), from }: Options = {}) {
  const trainer = await LocalTrainer.fromManifest(manifest as never, {
    accelerator: new Accelerator({ workers }),
    store,
    seed: 3,
    ...(from === undefined ? {} : { resume_from_checkpoint: from }),
  });
  const events: TrainingEvent[] = [];
  const [population, fitnesses] = await trainer.train({
    verbose: false,
    observer: { on: (event) => events.push(event) },
    checkpoint_steps: 4,
    checkpoint_path: "llm",
  });
  const generations = events.filter((event) => event.event === "generation");
  return { population, fitnesses, generations, events, store, champion: trainer.champion };
}

describe("a population of language models that generate", () => {
  it("learns what is rewarded, and evolves every evo_steps iterations", async () => {
    const { fitnesses, generations, events } = await trained(rollouts());
    expect(generations).toHaveLength(10);
    const first = generations[0]?.members.map(({ metrics }) => metrics.accuracy ?? 1) ?? [];
    expect(Math.max(...first)).toBeLessThan(0.7);
    expect(Math.min(...fitnesses)).toBeGreaterThan(0.8);
    expect(generations.map(({ lineage }) => lineage.length > 0)).toEqual(
      generations.map(({ generation }) => generation % 4 === 1 && generation > 1),
    );
    expect(generations.map(({ fitnesses: [fitness] }) => Number.isNaN(fitness))).toEqual(
      generations.map(({ generation }) => generation % 2 === 1),
    );
    expect(generations.at(-1)?.global_step).toBe(640);
    for (const { members } of generations) expect(members[0]?.metrics.ratio_error).toBeLessThan(1e-4);
    const [completions] = events.filter((event) => event.event === "completions");
    expect(completions?.records[0]).toMatchObject({ step: 1, agent_index: 0, prompt: "11", num_turns: 1 });
    // Advantages are relative to the group, in which better rewards have higher ones.
    const { agent_index, group_index } = completions?.records[0] ?? {};
    const group = (completions?.records ?? [])
      .filter((record) => record.agent_index === agent_index && record.group_index === group_index)
      .toSorted((a, b) => a.reward - b.reward);
    const advantages = group.map(({ advantage = Number.NaN }) => advantage);
    expect(advantages.reduce((a, b) => a + b, 0)).toBeCloseTo(0, 4);
    expect(advantages.every((advantage, i) => advantage >= (advantages[i - 1] ?? advantage))).toBe(true);
  });

  it("gives the same bits with 1 and 2 workers", async () => {
    const one = await trained(rollouts());
    const two = await trained(rollouts(), { workers: 2 });
    expect(two.population).toEqual(one.population);
    expect(two.fitnesses).toEqual(one.fitnesses);
  });

  it("goes on from a checkpoint to the same bits", async () => {
    const whole = await trained(rollouts());
    const { store } = await trained(rollouts({}, { max_steps: 256 }));
    const resumed = await trained(rollouts(), { store, from: "llm_256" });
    expect(resumed.population).toEqual(whole.population);
    expect(resumed.fitnesses).toEqual(whole.fitnesses);
  });

  it("acts on ONNX Runtime as on kernels, and goes on with what acted before", async () => {
    const steps = { max_steps: 160, pop_size: 1, eval_loop: 4 };
    const whole = await trained(rollouts({ acting: "onnxruntime" }, steps));
    const told = "Completions are generated by ONNX Runtime: the manifest says so.";
    const warnings = ({ events }: typeof whole) =>
      events.flatMap((event) =>
        event.event === "warning" && event.message.startsWith("Completions") ? [event.message] : [],
      );
    expect(warnings(whole)).toEqual([told]);
    for (const { members } of whole.generations) expect(members[0]?.metrics.ratio_error).toBeLessThan(1e-4);
    const kernels = await trained(rollouts({}, steps));
    expect(whole.generations.map(({ fitnesses }) => fitnesses)).toEqual(
      kernels.generations.map(({ fitnesses }) => fitnesses),
    );

    const { store } = await trained(rollouts({ acting: "onnxruntime" }, { ...steps, max_steps: 128 }));
    const resumed = await trained(rollouts({}, steps), { store, from: "llm_128" });
    expect(warnings(resumed)).toEqual([]);
    expect(resumed.population).toEqual(whole.population);
  });

  it("plays several turns, with a critic", async () => {
    const manifest = rollouts({}, { max_steps: 400, pop_size: 1, evo_steps: 100 });
    const { generations } = await trained({
      ...manifest,
      algorithm: { name: "LLMPPO", lr_actor: 1e-3, batch_size: 16, max_output_tokens: 1 },
      environment: { ...manifest.environment, entrypoint: "rlkit/GridNavigation", max_turns: 5 },
      mutation: undefined,
      selection_strategy: undefined,
    });
    const last = generations.at(-1)?.members[0];
    expect(last?.steps).toBeGreaterThan(2 * 16 * generations.length);
    expect(last?.metrics).toMatchObject({ vf_loss: expect.any(Number), ratio_error: expect.any(Number) });
  });
});

describe("a population of language models that read", () => {
  it("learns responses by SFT, and shows what it writes for prompts that are held out", async () => {
    const { generations, events } = await trained(rows({ name: "SFT", lr: 0.003 }, "rlkit/backwards", "sft"));
    const evaluated = generations.filter(({ fitnesses: [fitness] }) => !Number.isNaN(fitness));
    expect(evaluated.map(({ generation }) => generation)).toEqual([10, 20]);
    const [first, last] = [evaluated[0]?.fitnesses[0] ?? 0, evaluated.at(-1)?.fitnesses[0] ?? 0];
    expect(last).toBeGreaterThan(first);
    const completions = events.filter((event) => event.event === "completions");
    expect(completions.map(({ generation }) => generation)).toEqual([10, 20]);
    expect(completions[0]?.records[0]?.prompt).toMatch(/^[a-z]{4}/);
  });

  it("learns preferences by DPO: the margin grows", async () => {
    const { generations } = await trained(
      rows({ name: "DPO", lr: 5e-4, beta: 0.1 }, "rlkit/polite", "preference", { max_steps: 640 }),
    );
    const margins = generations.map(({ members }) => members[0]?.metrics.reward_margin ?? 0);
    expect(margins[0]).toBeCloseTo(0, 5);
    expect(margins.at(-1)).toBeGreaterThan(0.1);
  });
});

describe("a run of language models", () => {
  it("ends after num_epochs passes over the rows", async () => {
    const manifest = rows({ name: "SFT", lr: 1e-3, batch_size: 960 }, "rlkit/backwards", "sft");
    const { generations } = await trained({
      ...manifest,
      training: { pop_size: 1, num_epochs: 1, max_steps: 1, evaluation_interval: 100, hpo: false },
      mutation: undefined,
      selection_strategy: undefined,
    });
    expect(generations).toHaveLength(4);
  });

  it("says when all completions of every prompt earn the same", async () => {
    const { events } = await trained(
      rollouts({ lr: 1e-9, temperature: 0 }, { pop_size: 1, max_steps: 32 * 12, evaluation_interval: 100 }),
    );
    const warnings = events.flatMap((event) => (event.event === "warning" ? [event.message] : []));
    expect(warnings.join("\n")).toMatch(
      /in the last 10 iterations, all completions of each prompt earned the same reward/,
    );
  });
});

describe("a model's folder that is gone", () => {
  it("is named when a run goes on, with the file that is missing", async () => {
    const manifest = {
      ...rollouts({}, { pop_size: 1, max_steps: 32 }),
      network: { pretrained_model_name_or_path: "/nowhere/model", max_context_length: 16 },
    };
    await expect(trained(manifest)).rejects.toThrow(/\/nowhere\/model\/config.json: no such file/);
  });
});

describe("modules that a manifest names", () => {
  const MODULE = `
    export class Guess {
      constructor({ right }) { this.right = right; }
      reset() { return ["1", {}]; }
      step(text) { return ["", text === this.right ? 1 : 0, true, false, {}]; }
    }
    export class Endless { reset() { for (;;); } step() {} }
  `;
  const played = async (name: string, workers: number, changes: object = {}) => {
    const folder = await mkdtemp(path.join(tmpdir(), "rlkit-module-"));
    const file = path.join(folder, "guess.mjs");
    await writeFile(file, MODULE);
    const manifest = rollouts({}, { pop_size: 1, max_steps: 64, evaluation_interval: 1 });
    const environment = { entrypoint: `${file}:${name}`, env_config: { right: "3" }, ...changes };
    try {
      return await trained(
        {
          ...manifest,
          environment: { env_type: "rollout", max_turns: 1, max_reward: 1, ...environment },
          mutation: undefined,
          selection_strategy: undefined,
        },
        { workers },
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  it("are played, in this thread and in a worker, with the same bits", async () => {
    const one = await played("Guess", 1);
    expect(one.generations.at(-1)?.members[0]?.metrics.accuracy).toBeGreaterThan(0);
    expect((await played("Guess", 2)).population).toEqual(one.population);
  });

  it("end the run with a TimeoutError where they do not answer", async () => {
    await expect(played("Endless", 1, { request_timeout_s: 3 })).rejects.toMatchObject({
      name: "TimeoutError",
      message: expect.stringMatching(
        /Endless", reset: module .*guess.mjs: reset: found no answer within 3 s/,
      ),
    });
  });
});

describe("load_weights_from", () => {
  it("begins with what another algorithm learned, and holds it for the reference", async () => {
    const manifest = (algorithm: object, changes: object) => ({
      algorithm: { batch_size: 32, max_grad_norm: 1, ...algorithm },
      network: { pretrained_model_name_or_path: "rlkit/tiny-letters", max_context_length: 64 },
      training: { pop_size: 1, max_steps: 64, evaluation_interval: 1, hpo: false },
      ...changes,
    });
    const store = memoryFileStore();
    const sft = await LocalTrainer.fromManifest(
      manifest(
        { name: "SFT", lr: 1e-3 },
        { environment: { env_type: "dataset", dataset: "rlkit/backwards", objective: "sft" } },
      ) as never,
      { store, seed: 3 },
    );
    await sft.train({ verbose: false, save_elite: true, elite_path: "sft.safetensors" });
    const events: TrainingEvent[] = [];
    const dpo = await LocalTrainer.fromManifest(
      manifest(
        { name: "DPO", lr: 1e-9 },
        { environment: { env_type: "dataset", dataset: "rlkit/polite", objective: "preference" } },
      ) as never,
      { store, seed: 3, load_weights_from: "sft.safetensors" },
    );
    const [[trainedMember]] = await dpo.train({
      verbose: false,
      observer: { on: (event) => events.push(event) },
    });
    // Members of these runs are their own kind of plain data.
    const member = trainedMember as unknown as LlmMember;
    const saved = decodeSafetensors(await store.read("sft.safetensors"), "sft").tensors;
    const name = "model.layers.0.self_attn.q_proj.weight";
    expect(member.policy[`reference.${name}`]).toEqual(saved.get(`actor.${name}`)?.data);
    // At a rate of next to nothing the first margin is that of the policy with itself.
    const [first] = events.filter((event) => event.event === "generation");
    expect(first?.members[0]?.metrics.reward_margin).toBeCloseTo(0, 4);
  });
});

/** The command over files in memory, with a manifest as run.json. */
async function commandWith(manifest: object) {
  const store = memoryFileStore();
  await store.write("run.json", new TextEncoder().encode(JSON.stringify(manifest)));
  const said: string[] = [];
  const write = (text: string) => said.push(text);
  const io = { store, stdout: { write }, stderr: { write }, onInterrupt: () => () => undefined };
  const rlkit = async (...args: string[]) =>
    [await main(args, io as never), said.splice(0).join("")] as const;
  return { store, rlkit };
}

describe("the command", () => {
  it("trains, and writes the elite as a directory that other programs read", async () => {
    const { store, rlkit } = await commandWith(rollouts({}, { max_steps: 128 }));
    expect((await rlkit("train", "run.json", "--out", "a", "--seed", "3"))[0]).toBe(0);
    expect((await rlkit("export", "a/elite.safetensors", "--dir", "model"))[0]).toBe(0);
    expect((await rlkit("export", "a/checkpoint_128", "--dir", "saved"))[0]).toBe(0);
    expect(await store.read("saved/checksums.json")).toEqual(await store.read("model/checksums.json"));
    expect((await store.list("model/actor")).map(({ name }) => name).sort()).toEqual([
      "checksums.json",
      "config.json",
      "model.safetensors",
    ]);
    const { tensors } = decodeSafetensors(await store.read("model/actor/model.safetensors"), "model");
    expect([...tensors.keys()]).toContain("model.layers.0.self_attn.q_proj.weight");
  });

  it.each([
    ["SFT", "rlkit/backwards", "sft"],
    ["DPO", "rlkit/polite", "preference"],
  ])("exports a checkpoint and each of its members: %s", async (name, dataset, objective) => {
    const manifest = {
      algorithm: { name, batch_size: 4, max_grad_norm: 1 },
      environment: { env_type: "dataset", dataset, objective },
      network: {
        pretrained_model_name_or_path: "rlkit/tiny-letters",
        max_context_length: 64,
        lora_config: { lora_r: 2, lora_alpha: 4, target_modules: "all-linear" },
      },
      training: { pop_size: 1, max_steps: 4, evaluation_interval: 1, hpo: false },
    };
    const { store, rlkit } = await commandWith(manifest);
    expect((await rlkit("train", "run.json", "--out", "a", "--seed", "3"))[0]).toBe(0);
    const exported = [0, expect.stringContaining("actor/adapter_model.safetensors")];
    expect(await rlkit("export", "a/checkpoint_4", "--dir", "elite")).toEqual(exported);
    expect(await rlkit("export", "a/checkpoint_4/member_0.safetensors", "--dir", "member")).toEqual(exported);
    expect(await store.read("elite/checksums.json")).toEqual(await store.read("member/checksums.json"));
    const onnx = "onnx: onnx/model.onnx, onnx/model.onnx_data, config.json, generation_config.json";
    expect(await rlkit("export", "a/checkpoint_4", "--onnx", "onnx")).toEqual([0, `${onnx}\n`]);

    await store.write("lost.safetensors", await store.read("a/checkpoint_4/elite.safetensors"));
    const [code, text] = await rlkit("export", "lost.safetensors", "--dir", "lost");
    expect([code === 0, text]).toEqual([false, expect.stringContaining("name the file in its checkpoint")]);
    expect((await rlkit("export", "nowhere", "--dir", "lost"))[1]).toContain("nowhere contains no agent");
    expect(await store.exists("lost")).toBe(false);
  });
});

describe("a manifest of language models", () => {
  const messages = (manifest: object) =>
    workloadIssues(parseManifestObject(manifest)).map(({ path, message }) => `${path}: ${message}`);

  it.each([
    [
      { network: { pretrained_model_name_or_path: "rlkit/huge", max_context_length: 16 } },
      /found "rlkit\/huge", allowed rlkit\/tiny-digits/,
    ],
    [
      { mutation: { probabilities: { ...NO_OTHER_MUTATION, arch_mut: 0.2 } } },
      /Probability of architecture mutation must be 0 for language models, found 0.2/,
    ],
    [{ selection_strategy: { elitism: false } }, /selection_strategy.elitism: found false, allowed true/],
    [{ environment: { env_type: "rollout", env_url: "http://x", max_turns: 1 } }, /environments by URL/],
    [
      { environment: { env_type: "rollout", entrypoint: "games:Guess", max_turns: 2 } },
      /^environment.entrypoint: found "games:Guess"; Python does not run here; write a JavaScript module/,
    ],
    [
      {
        environment: {
          env_type: "rollout",
          dataset: "rlkit/backwards",
          rubric_file_path: "reward.py",
          prompt_template: { user_0: "{prompt}" },
        },
      },
      /^environment.rubric_file_path: found "reward.py"; Python does not run here/,
    ],
    [
      rows({ name: "SFT" }, "rows.arrow", "sft"),
      /rows.arrow: arrow files are not supported; write the rows as Parquet, JSON/,
    ],
    [
      {
        ...rows({ name: "SFT" }, "x", "sft"),
        environment: { env_type: "dataset", hf_dataset_id: "squad", objective: "sft" },
      },
      /hf_dataset_id: found "squad", allowed an id of the hub: OWNER\/NAME or OWNER\/NAME@REVISION/,
    ],
    [
      { algorithm: { name: "GRPO", micro_batch_size_per_gpu: 4, mini_batch_size: 8 } },
      /algorithm.mini_batch_size: found 8, allowed 4: a micro-batch is one optimiser step/,
    ],
    [
      { algorithm: { name: "GRPO", lora_config: { target_parameters: ["experts"] } } },
      /algorithm.lora_config.target_parameters: found \["experts"\], allowed null/,
    ],
  ])("is refused before it starts: %j", (changes, message) => {
    expect(messages({ ...rollouts(), ...changes }).join("\n")).toMatch(message);
  });

  const warnings = (manifest: object) => languageModels.runs.warnings(parseManifestObject(manifest));

  it("without faults has no issues, and nothing to warn of", () => {
    expect(messages(rollouts())).toEqual([]);
    expect(warnings(rollouts())).toEqual([]);
    expect(
      warnings(rows({ name: "SFT", lr: 1e-3, lora_config: { lora_dropout: 0 } }, "rlkit/backwards", "sft")),
    ).toEqual([]);
  });

  it("warns of a hyperparameter outside the range in which it mutates", () => {
    const mutation = { rl_hp_selection: { beta: { min: 0.1, max: 1 } } };
    expect(warnings({ ...rollouts({ beta: 0.001 }), mutation, selection_strategy: {} })).toEqual([
      "algorithm.beta is 0.001, outside the range in which it mutates (0.1 to 1): its first mutation moves it inside",
    ]);
  });

  it("names all that has no effect in one warning", () => {
    const engine = { attn_implementation: "eager", quantization: "int8", vllm_config: { max_num_seqs: 4 } };
    const other = { lora_config: { lora_dropout: 0.1 }, use_liger_loss: false, cast_logprobs_to_fp32: false };
    const manifest = rollouts({ ...engine, ...other }, { eval_steps: 5, learning_delay: 10 });
    expect(
      warnings({ ...manifest, environment: { ...manifest.environment, num_envs: 2, objective: "sft" } }),
    ).toEqual([
      "algorithm.use_liger_loss, algorithm.cast_logprobs_to_fp32, algorithm.quantization, " +
        "algorithm.attn_implementation, algorithm.vllm_config, algorithm.lora_config.lora_dropout, " +
        "training.eval_steps, training.learning_delay, environment.num_envs, environment.objective: no effect in this run",
    ]);
    const labelled = rows(
      { name: "SFT", lr: 1e-3, beta: 0.1, constrain_answer_pattern: "a" },
      "rlkit/backwards",
      "sft",
    );
    expect(warnings({ ...labelled, environment: { ...labelled.environment, max_reward: 1 } })).toEqual([
      "algorithm.beta, algorithm.constrain_answer_pattern, environment.max_reward: no effect in this run",
    ]);
  });
});

describe("completions of a run", () => {
  it("are appended to a file of JSON lines every interval, all members at once", async () => {
    const store = memoryFileStore();
    const trainer = await LocalTrainer.fromManifest(rollouts({}, { max_steps: 320 }) as never, {
      store,
      seed: 3,
    });
    await trainer.train({
      verbose: false,
      observer: { on: () => undefined },
      completion_logging: { interval: 2, num_groups: 1, jsonl_path: "logs/completions.jsonl" },
    });
    const text = new TextDecoder().decode(await store.read("logs/completions.jsonl"));
    const records = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(records.map(({ step, agent_index }) => [step, agent_index])).toEqual(
      [2, 4].flatMap((step) => [0, 1].flatMap((member) => Array.from({ length: 4 }, () => [step, member]))),
    );
    expect(Object.keys(records[0] ?? {})).toEqual([
      "step",
      "agent_index",
      "group_index",
      "sample_index",
      "reward",
      "num_turns",
      "completion_tokens",
      "prompt",
      "completion",
    ]);
  });

  it("are told once more when training fails", async () => {
    const trainer = await LocalTrainer.fromManifest(
      rollouts({ lr: 1e30, micro_batch_size_per_gpu: 32 }, { pop_size: 1 }) as never,
      { seed: 3 },
    );
    const events: TrainingEvent[] = [];
    const run = trainer.train({ verbose: false, observer: { on: (event) => events.push(event) } });
    await expect(run).rejects.toThrow(/found NaN|not finite/);
    const last = events.filter((event) => event.event === "completions").at(-1);
    expect(last).toMatchObject({ level: "error" });
    expect(last?.records.length).toBeGreaterThan(0);
  });
});

describe("a search of language models", () => {
  const search = {
    selection_strategy: {
      strategy: "halving",
      rung: 1,
      smallest: 2,
      followed_by: "truncation",
      quantile: 0.5,
    },
    mutation: {
      rl_hp_selection: {
        lr: { min: 1e-5, max: 1e-2 },
        beta: { min: 1e-4, max: 0.1 },
        group_size: { choices: [2, 4, 8] },
      },
    },
  };
  const searching = (training: object = {}) => ({
    ...rollouts({ beta: 0.001 }, { hpo: "search", pop_size: 4, max_steps: 800, evo_steps: 2, ...training }),
    ...search,
  });

  it("draws rates, penalties and groups, races, and delivers a champion of a final evaluation", async () => {
    const { generations, events, champion: delivered } = await trained(searching());
    const first = generations[0]?.members ?? [];
    expect(first[0]?.hyperparameters).toMatchObject({ lr: 0.002, beta: 0.001, group_size: 4 });
    for (const name of ["lr", "beta"])
      expect(new Set(first.map(({ hyperparameters }) => hyperparameters[name])).size).toBe(4);
    for (const { steps, hyperparameters } of first) expect(steps).toBe(8 * (hyperparameters.group_size ?? 0));
    // The cut comes after the first round of selection.
    const active = generations.map(
      ({ members }) => members.filter(({ learn_steps }) => learn_steps > 0).length,
    );
    expect(active).toEqual(active.map((_count, i) => (i < 2 ? 4 : 2)));
    const moved = generations.flatMap(({ lineage }) =>
      lineage.filter((event) => event.mutation === "explore"),
    );
    expect(moved.length).toBeGreaterThan(0);
    const [champion] = events.filter((event) => event.event === "champion");
    expect(champion).toMatchObject({ episodes: 30 });
    expect(champion?.fitness).toBeGreaterThan(0.8);
    expect(delivered).toMatchObject({ index: champion?.index });
  });

  it("ends with the same bits in two workers, and when resumed before its end", async () => {
    const whole = await trained(searching());
    const two = await trained(searching(), { workers: 2 });
    const champions = ({ events }: typeof whole) => events.filter((event) => event.event === "champion");
    expect(two.population).toEqual(whole.population);
    expect(champions(two)).toEqual(champions(whole));
    const { store } = await trained(searching({ max_steps: 500, final_episodes: 0 }));
    const [from = ""] = (await store.list(""))
      .map(({ name }) => name)
      .toSorted((a, b) => Number(b.slice(4)) - Number(a.slice(4)));
    const resumed = await trained(searching(), { store, from });
    expect(resumed.population).toEqual(whole.population);
    expect(champions(resumed)).toEqual(champions(whole));
  });

  it("evaluates labelled rows again as well", async () => {
    const manifest = rows({ name: "SFT", lr: 0.002 }, "rlkit/backwards", "sft", {
      max_steps: 640,
      final_episodes: 70,
    });
    const { events, generations } = await trained(manifest);
    const [champion] = events.filter((event) => event.event === "champion");
    expect(champion).toMatchObject({ episodes: 70 });
    expect(champion?.fitness).toBeLessThan(0);
    const best = Math.max(...generations.flatMap(({ fitnesses }) => fitnesses).filter((f) => f <= 0));
    expect(Math.abs((champion?.fitness ?? 0) - best)).toBeLessThan(1);
  });
});
