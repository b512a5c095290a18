/**
 * `npx tsx bench/languageModelMemory.ts [--folder DIR] [--rounds N]`: the estimate of `rlkit validate` beside the measured peak of
 * `rlkit train`, for six runs of language models with random weights. One iteration and one evaluation in one thread,
 * each run in a process of its own.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { root } from "../scripts/lib/environment.mjs";
import { machineNote } from "./harness/machine.ts";
import type { Figure } from "./harness/Row.ts";
import { reportSamples } from "./harness/record.ts";
import { largeLanguageModel } from "./subjects/largeLanguageModel.ts";
import { wordTokenizer } from "./subjects/wordTokenizer.ts";

const { values: options } = parseArgs({
  options: {
    folder: { type: "string", default: path.join(tmpdir(), "rlkit-language-model-memory") },
    rounds: { type: "string", default: "3" },
  },
});

interface Shape {
  readonly model: "135M" | "24M";
  readonly algorithm: {
    readonly name: string;
    readonly batch_size: number;
    readonly group_size?: number;
    readonly max_output_tokens?: number;
  };
  /** Tokens of a row: those of its prompt, and those of an answer. */
  readonly prompt: number;
  readonly answer: number;
  readonly pop_size: number;
}

const SMALL = { hidden_size: 384, intermediate_size: 1024, num_hidden_layers: 8, num_attention_heads: 6 };
const SIZES = { "135M": {}, "24M": { ...SMALL, vocab_size: 16_384, num_key_value_heads: 3 } } as const;

const SHAPES: readonly Shape[] = [
  { model: "135M", algorithm: { name: "SFT", batch_size: 1 }, prompt: 128, answer: 128, pop_size: 1 },
  { model: "135M", algorithm: { name: "SFT", batch_size: 4 }, prompt: 256, answer: 256, pop_size: 1 },
  { model: "135M", algorithm: { name: "DPO", batch_size: 2 }, prompt: 64, answer: 64, pop_size: 2 },
  {
    model: "135M",
    algorithm: { name: "GRPO", batch_size: 2, group_size: 4, max_output_tokens: 32 },
    prompt: 64,
    answer: 32,
    pop_size: 1,
  },
  { model: "24M", algorithm: { name: "SFT", batch_size: 8 }, prompt: 128, answer: 128, pop_size: 4 },
  {
    model: "24M",
    algorithm: { name: "GRPO", batch_size: 4, group_size: 4, max_output_tokens: 64 },
    prompt: 64,
    answer: 64,
    pop_size: 4,
  },
];

const words = (row: number, length: number): string =>
  Array.from({ length }, (_, i) => `w${3 + ((7919 * (row + 1) + 104_729 * i) % 16_000)}`).join(" ");

/** Writes what a run needs. @returns Its folder. */
async function write({ model, algorithm, prompt, answer, pop_size }: Shape, name: string): Promise<string> {
  const folder = path.join(options.folder, name);
  mkdirSync(folder, { recursive: true });
  const base = path.join(options.folder, model);
  const { vocab_size } = largeLanguageModel(base, SIZES[model]);
  const numbered = Array.from({ length: vocab_size }, (_, id) => ["<pad>", "<end>"][id] ?? `w${id}`);
  for (const [file, text] of wordTokenizer(numbered, { pad: "<pad>", end: "<end>" }))
    writeFileSync(path.join(base, file), text);
  const rows = Array.from({ length: 32 }, (_, row) =>
    JSON.stringify({
      prompt: words(row, prompt),
      response: words(row + 100, answer),
      chosen: words(row + 100, answer),
      rejected: words(row + 200, answer),
      answer: "w3",
    }),
  );
  writeFileSync(path.join(folder, "rows.jsonl"), rows.join("\n"));
  const dataset = { dataset_path: "rows.jsonl" };
  const rollout = {
    env_type: "rollout",
    name: "words",
    ...dataset,
    rubric_file_path: "contains",
    max_turns: 1,
  };
  const labelled = { env_type: "dataset", name: "words", ...dataset };
  const environment =
    algorithm.name === "GRPO"
      ? rollout
      : { ...labelled, objective: algorithm.name === "DPO" ? "preference" : "sft" };
  const manifest = {
    algorithm: { max_model_len: 1024, ...algorithm },
    environment,
    network: { pretrained_model_name_or_path: path.join("..", model), max_context_length: 1024 },
    training: {
      pop_size,
      max_steps: pop_size,
      evo_steps: 1,
      evaluation_interval: 1,
      eval_loop: 1,
      hpo: false,
    },
  };
  writeFileSync(path.join(folder, "run.json"), JSON.stringify(manifest));
  const idle = algorithm.name === "GRPO" ? { ...manifest.algorithm, acting: "kernels" } : manifest.algorithm;
  writeFileSync(path.join(folder, "idle.json"), JSON.stringify({ ...manifest, algorithm: idle }));
  return folder;
}

const COMMAND = path.join(root, "dist/lib/cli/rlkit.js");
/** Tells its peak memory as it ends. */
const TELLS = 'process.on("exit", () => console.error("peak", process.resourceUsage().maxRSS * 1024))';

/** The peak of a command's process, in bytes. */
function peakOf(cwd: string, args: readonly string[]): number {
  const preload = `data:text/javascript,${encodeURIComponent(TELLS)}`;
  const { stderr, status } = spawnSync("node", ["--import", preload, COMMAND, ...args], {
    cwd,
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  const peak = /^peak (\d+)$/m.exec(stderr)?.[1];
  if (status !== 0 || peak === undefined) throw new Error(`rlkit ${args.join(" ")}: ${stderr}`);
  return Number(peak);
}

/** A run, its estimate and its peak above that of an idle process, in MB. */
interface Measured {
  readonly run: string;
  readonly estimate: number;
  readonly peak: number;
}

async function measured(shape: Shape, name: string): Promise<Measured> {
  const { model, algorithm, prompt, answer, pop_size } = shape;
  const folder = await write(shape, name);
  const said = execFileSync("node", [COMMAND, "validate", "run.json", "--json"], {
    cwd: folder,
    encoding: "utf8",
  });
  const { total_bytes } = (JSON.parse(said) as { readonly estimate: { readonly total_bytes: number } })
    .estimate;
  // What a process of the command takes without a run, and without measuring what is to act.
  const idle = peakOf(folder, ["validate", "idle.json"]);
  rmSync(path.join(folder, "out"), { recursive: true, force: true });
  const peak = peakOf(folder, ["train", "run.json", "--workers", "1", "--seed", "1", "--out", "out"]) - idle;
  const rows = algorithm.batch_size * (algorithm.group_size ?? 1);
  const run = `${algorithm.name} ${model} x ${pop_size}, ${rows} x ${prompt + answer}`;
  return { run, estimate: total_bytes / 1e6, peak: peak / 1e6 };
}

console.log(machineNote());
const rounds: Measured[][] = [];
for (let round = 0; round < Number(options.rounds); round++) {
  const all: Measured[] = [];
  for (const [i, shape] of SHAPES.entries()) {
    const one = await measured(shape, `run-${i}`);
    console.error(`${one.run}: estimate ${one.estimate.toFixed(0)} MB, peak ${one.peak.toFixed(0)} MB`);
    all.push(one);
  }
  rounds.push(all);
}
reportSamples({
  row: "llm-memory",
  title: "a run's estimated memory, off its measured peak",
  command: "npx tsx bench/languageModelMemory.ts",
  figures: (rounds[0] ?? []).flatMap(({ run }): Figure[] => [
    { name: run, unit: "%", target: { at_most: 20 }, digits: 0 },
    { name: `${run}: peak`, unit: "MB", digits: 0 },
  ]),
  samples: rounds.map((all) =>
    all.flatMap(({ estimate, peak }) => [100 * Math.abs(estimate / peak - 1), peak]),
  ),
});
