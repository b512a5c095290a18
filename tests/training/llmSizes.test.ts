/** What manifests of language models ask for is known before anything is built. */
// @apart: the run at the end registers the pool of workers.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  algorithmDefinition,
  SpecError,
  type SpecIssue,
  TrainingSpec,
  validateManifest,
} from "../../src/manifests/index.ts";
import { llmEnvShape } from "../../src/specs/sections.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { LocalTrainer } from "../../src/training/index.ts";
import { workloadIssues } from "../../src/training/workloads/registry.ts";
import { parseInput } from "../../src/workers/computing.ts";
import { modelFolder } from "../llm/support/modelFolder.ts";
import { numbersMade } from "./support/numbersMade.ts";

const ROLLOUT = ["GRPO", "GSPO", "CISPO", "LLMPPO", "LLMREINFORCE", "LLMES"] as const;
const NAMES = [...ROLLOUT, "DPO", "KTO", "SFT"] as const;
type Name = (typeof NAMES)[number];

const ENVIRONMENTS: Readonly<Record<string, object>> = {
  DPO: { env_type: "dataset", dataset: "rlkit/polite", objective: "preference" },
  KTO: { env_type: "dataset", dataset: "rlkit/polite", objective: "unpaired" },
  SFT: { env_type: "dataset", dataset: "rlkit/backwards", objective: "sft" },
};
const PLAYED = { env_type: "rollout", entrypoint: "rlkit/GridNavigation", max_turns: 4 };

/** A manifest with a value at a path. */
function manifestWith(name: Name, at: string, value: unknown, model = "rlkit/tiny-letters"): object {
  const manifest: Record<string, Record<string, unknown>> = {
    algorithm: { name, batch_size: 2 },
    environment: { ...(ENVIRONMENTS[name] ?? PLAYED) },
    network: { pretrained_model_name_or_path: model, max_context_length: 64 },
    training: { pop_size: 2, max_steps: 1e13 },
    selection_strategy: { tournament_size: 2 },
  };
  const [section = "", key = "", inner] = at.split(".");
  const own = { ...manifest[section] };
  own[key] = inner === undefined ? value : { ...(own[key] as object | undefined), [inner]: value };
  return { ...manifest, [section]: own };
}

function issuesOf(manifest: object): readonly SpecIssue[] {
  const result = validateManifest(manifest as never, { alsoCheck: workloadIssues });
  return result.success ? [] : result.issues;
}

/** Paths of all fields that take a large integer. */
function numericFields(name: Name): string[] {
  const large = (shape: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>>) =>
    Object.entries(shape).flatMap(([key, schema]) => (schema.safeParse(1e6).success ? [key] : []));
  const { shape } = algorithmDefinition(name).schema;
  const training = TrainingSpec.parse({});
  const counts = Object.keys(training).filter(
    (key) => TrainingSpec.safeParse({ [key]: 1e6, ...(key === "evo_epochs" && { num_epochs: 1e6 }) }).success,
  );
  return [
    ...large(shape).map((key) => `algorithm.${key}`),
    ...large(llmEnvShape).map((key) => `environment.${key}`),
    ...counts
      .filter((key) => typeof training[key as keyof typeof training] !== "boolean")
      .map((key) => `training.${key}`),
    "network.max_context_length",
    "network.lora_config.lora_r",
    "network.lora_config.lora_alpha",
    "selection_strategy.tournament_size",
  ];
}

/** Fields that decide how much memory or time a run takes, by what 1e9 of them is refused with. */
const SIZES: Readonly<Record<string, RegExp>> = {
  "algorithm.batch_size": /needs about \d+ MB/,
  "algorithm.group_size": /needs about \d+ MB/,
  "algorithm.max_output_tokens": /needs 1000000001 tokens .* at most 64; .* at most 63 fits/,
  "algorithm.update_epochs": /needs at least \d+ \w+ for one iteration/,
  "environment.max_turns": /needs about \d+ MB/,
  "training.pop_size": /needs about \d+ MB of memory/,
  "training.eval_loop": /needs at least \d+ \w+ for one evaluation/,
  "training.final_episodes": /needs at least \d+ \w+ for one evaluation/,
  "network.lora_config.lora_r": /needs about \d+ MB/,
  "selection_strategy.tournament_size": /needs 2000000000 draws/,
};

/** The issues of a manifest, and how many numbers were made to find them. */
function answer(manifest: object): { readonly issues: readonly SpecIssue[]; readonly made: number } {
  let issues: readonly SpecIssue[] = [];
  const made = numbersMade(() => {
    issues = issuesOf(manifest);
  });
  return { issues, made };
}

describe.each(NAMES)("numbers of %s", (name) => {
  const fields = numericFields(name);
  const sizes = Object.entries(SIZES).filter(
    ([field]) => fields.includes(field) && !(field === "environment.max_turns" && ENVIRONMENTS[name]),
  );

  it("sizes that no machine has are refused with field, need and limit, and nothing is made", () => {
    expect(sizes.length).toBeGreaterThanOrEqual(ENVIRONMENTS[name] ? 6 : 8);
    for (const [field, needs] of sizes) {
      for (const value of [1e9, 1e12]) {
        const { issues, made } = answer(manifestWith(name, field, value));
        expect(made).toBeLessThan(1_000);
        expect(issues.map((issue) => issue.path)).toEqual([field]);
        expect(issues[0]?.message).toMatch(
          new RegExp(`^found ${value}; needs .*; with the other settings as they are, at most \\d+ fits$`),
        );
      }
      expect(answer(manifestWith(name, field, 1e9)).issues[0]?.message).toMatch(needs);
    }
  });

  it("the largest number that fits is accepted, and the next one is not", () => {
    for (const field of ["algorithm.batch_size", "training.pop_size", "network.lora_config.lora_r"]) {
      const [issue] = issuesOf(manifestWith(name, field, 1e9));
      const most = Number(/at most (\d+) fits$/.exec(issue?.message ?? "")?.[1]);
      expect(issuesOf(manifestWith(name, field, most))).toEqual([]);
      expect(issuesOf(manifestWith(name, field, most + 1)).map((each) => each.path)).toEqual([field]);
    }
  });

  it("all other numbers of any size are answered without making anything", () => {
    for (const field of fields.filter((each) => !Object.hasOwn(SIZES, each)))
      for (const value of [1e6, 1e9, 1e12]) {
        const { issues, made } = answer(manifestWith(name, field, value));
        expect(made).toBeLessThan(1_000);
        // Whatever is refused is refused for a rule of its own, not for a size.
        expect(issues.filter(({ message }) => /needs (about|at least)/.test(message))).toEqual([]);
      }
  });
});

describe("sizes that no machine has", () => {
  it.each([...ROLLOUT])("are refused for a folder's model before it is read: %s", (name) => {
    for (const [field, value] of [
      ["algorithm.batch_size", 1e9],
      ["algorithm.max_output_tokens", 1e9],
      ["environment.max_turns", 1e9],
      ["training.pop_size", 1e9],
      ["network.lora_config.lora_r", 1e6],
    ] as const)
      expect(issuesOf(manifestWith(name, field, value, "models/mine")).map((issue) => issue.path)).toEqual([
        field,
      ]);
  });

  it("are refused by LocalTrainer and by the browser's coordinator", async () => {
    const manifest = manifestWith("GRPO", "algorithm.group_size", 1e9);
    expect(() => new LocalTrainer(manifest as never)).toThrow(SpecError);
    expect(() => new LocalTrainer(manifest as never)).toThrow(
      /algorithm\.group_size: found 1000000000; needs/,
    );
    await expect(parseInput(manifest, null)).rejects.toThrow(
      /algorithm\.group_size: found 1000000000; needs/,
    );
  });

  it("are refused for a folder's model once its sizes are known, before anything is allocated", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "sizes-"));
    try {
      for (const [name, bytes] of modelFolder()) await writeFile(path.join(folder, name), bytes);
      const manifest = manifestWith("GRPO", "algorithm.max_output_tokens", 64, folder) as {
        readonly network: object;
      };
      const longer = { ...manifest, network: { ...manifest.network, max_context_length: 1e9 } };
      const trainer = new LocalTrainer({ ...longer, store: memoryFileStore() } as never);
      await expect(trainer.train({ verbose: false })).rejects.toThrow(
        /algorithm\.max_output_tokens: found 64; needs 65 tokens .* at most 64; .* at most 63 fits/,
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

it("numbers that decide no size may be large: the run trains", async () => {
  const trainer = new LocalTrainer({
    algorithm: {
      name: "GRPO",
      batch_size: 2,
      group_size: 2,
      max_output_tokens: 1,
      micro_batch_size_per_gpu: 1e9,
      top_k: 1e9,
      suppress_tokens: [1e9],
      min_output_tokens: 1e9,
      chunk_rows: 1e9,
      hf_generate_chunk_size: 1e9,
    },
    environment: { ...PLAYED, num_envs: 1e9 },
    network: { pretrained_model_name_or_path: "rlkit/tiny-letters", max_context_length: 1e9 },
    training: { pop_size: 1, max_steps: 1, evaluation_interval: 1e9, evo_steps: 1 },
    store: memoryFileStore(),
    seed: 3,
  } as never);
  const [population] = await trainer.train({ verbose: false, observer: { on: () => undefined } });
  expect(population).toHaveLength(1);
});
