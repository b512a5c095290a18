/**
 * `npm run results:llm -- [--list] [--row NAME]... [--seeds N]`: tests with five seeds whether a single
 * member of each language-model algorithm learns its probe. Evaluation samples if the row sets no evaluation
 * temperature.
 */
import { parseArgs } from "node:util";
import { WasmDevice } from "../src/kernels/index.ts";
import { findLlmAlgorithm, type LlmSpec } from "../src/llm/algorithms.ts";
import { builtInDataset, DatasetEnv, RolloutHarness } from "../src/llm/environments.ts";
import {
  AgentOnDevice,
  DatasetRunner,
  firstMember,
  greedyCompletions,
  RolloutRunner,
  withPolicy,
} from "../src/llm/members.ts";
import { loadModelParts } from "../src/llm/models.ts";
import { AlgoSpec } from "../src/manifests/index.ts";
import { machineNote } from "./harness/machine.ts";
import { formatNumber, markdownTable } from "./harness/table.ts";
import { findLlmRow, type LlmRow, llmRows } from "./learning/llmRows.ts";
import { recordLearning, type SeedOutcome } from "./learning/recordLearning.ts";

const { values: options } = parseArgs({
  options: {
    list: { type: "boolean", default: false },
    row: { type: "string", multiple: true, default: [] },
    seeds: { type: "string", default: "5" },
  },
});

/** Result of one seed. */
interface Outcome {
  readonly steps: number;
  readonly score: number;
  readonly seconds: number;
}

async function agentOf({ model, algorithm, lora = null }: LlmRow): Promise<AgentOnDevice> {
  const parts = await loadModelParts(model, null);
  const spec = AlgoSpec.parse({ ...algorithm, pretrained_model_name_or_path: model }) as LlmSpec;
  const found = findLlmAlgorithm(spec.name);
  if (!found) throw new Error(`no language-model algorithm ${spec.name}`);
  return AgentOnDevice.open({ parts, algorithm: found, spec, lora }, new WasmDevice());
}

async function rollouts(row: LlmRow, seed: number): Promise<Outcome> {
  const agent = await agentOf(row);
  const { environment = "", max_turns = 1, solved = 1 } = row;
  const { tokenizer } = agent.plan.parts;
  const runner = new RolloutRunner({
    agent,
    makeHarness: () =>
      new RolloutHarness({
        env: environment,
        tokenizer,
        max_turns,
        max_model_len: agent.max_model_len,
        max_output_tokens: 1,
      }),
    max_turns,
    eval_loop: 512,
    max_reward: solved,
    io_timeout_s: null,
  });
  let member = await withPolicy(agent.plan, firstMember(agent.plan.spec, 0), seed);
  const start = performance.now();
  while (member.steps < row.max_steps) {
    const place = { seed, slot: 0, progress: member.steps / row.max_steps };
    member = (await runner.iteration(member, place)).member;
  }
  const seconds = (performance.now() - start) / 1000;
  const { returns } = await runner.evaluate(member, { seed, slot: 0 });
  const right = returns.filter((value) => value >= solved - 1e-6).length;
  await runner.close();
  agent.close();
  return { steps: member.steps, score: right / returns.length, seconds };
}

/** Prompts of the value probe, each a digit. The policy's answers do not matter. */
const rewarded = () => ({
  name: "always 1",
  reset: (seed = 0) => [String(1 + (seed % 3)), {}] as const,
  step: () => ["", 1, true, false, {}] as const,
});

/** Mean absolute error of the critic's values if every turn earns a reward of 1. */
async function valueProbe(row: LlmRow, seed: number): Promise<Outcome> {
  const agent = await agentOf(row);
  const { tokenizer } = agent.plan.parts;
  const runner = new RolloutRunner({
    agent,
    makeHarness: () => new RolloutHarness({ env: rewarded, tokenizer, max_output_tokens: 1 }),
    max_turns: 1,
    eval_loop: 1,
    max_reward: null,
    io_timeout_s: null,
  });
  let member = await withPolicy(agent.plan, firstMember(agent.plan.spec, 0), seed);
  const start = performance.now();
  while (member.steps < row.max_steps) member = (await runner.iteration(member, { seed, slot: 0 })).member;
  const seconds = (performance.now() - start) / 1000;
  agent.write(member.policy);
  const prompts = [1, 2, 3];
  const values = await agent.core.policy.values({
    rows: 3,
    length: 2,
    input_ids: Int32Array.from(prompts.flatMap((digit) => [digit, 0])),
    attention_mask: new Int32Array(6).fill(1),
  });
  await runner.close();
  agent.close();
  const distance = values.reduce((sum, value) => sum + Math.abs(value - 1), 0) / values.length;
  return { steps: member.steps, score: distance, seconds };
}

async function labelled(row: LlmRow, seed: number): Promise<Outcome> {
  const agent = await agentOf(row);
  const rows = builtInDataset(row.dataset ?? "");
  if (!rows) throw new Error(`no data set ${row.dataset}`);
  const sft = agent.plan.spec.name === "SFT";
  const env = new DatasetEnv({
    ...rows,
    tokenizer: agent.plan.parts.tokenizer,
    objective: sft ? "sft" : "preference",
    data_batch_size_per_gpu: agent.plan.spec.batch_size,
    seed,
  });
  const runner = new DatasetRunner({ agent, env, eval_loop: 1, shown: 0 });
  let member = await withPolicy(agent.plan, firstMember(agent.plan.spec, 0), seed);
  const start = performance.now();
  while (member.steps < row.max_steps) member = (await runner.iteration(member, { seed, slot: 0 })).member;
  const seconds = (performance.now() - start) / 1000;
  agent.write(member.policy);
  const count = rows.test.length;
  const batches = Math.ceil(count / agent.plan.spec.batch_size);
  let right = 0;
  if (sft)
    for (const { reward } of (await greedyCompletions(agent, env.heldOut(count))).completions)
      right += reward;
  else right = (await runner.pairs(member, batches)).pairs.filter(({ margin }) => margin > 0).length;
  agent.close();
  return { steps: member.steps, score: right / count, seconds };
}

function outcomeOf(row: LlmRow, seed: number): Promise<Outcome> {
  if (row.dataset) return labelled(row, seed);
  return row.value_probe ? valueProbe(row, seed) : rollouts(row, seed);
}

async function report(row: LlmRow): Promise<void> {
  const lines: string[][] = [];
  const outcomes: SeedOutcome[] = [];
  const seeds = Number(options.seeds);
  for (let seed = 1; seed <= seeds; seed++) {
    const { steps, score, seconds } = await outcomeOf(row, seed);
    const passed = row.value_probe ? score < row.threshold : score >= row.threshold;
    outcomes.push({ passed, steps, score, seconds });
    lines.push([String(seed), formatNumber(steps, 0), formatNumber(score, 4), formatNumber(seconds, 1)]);
  }
  console.log(`\n## ${row.name}: ${row.title}`);
  const command = `npm run results:llm -- --row ${row.name}`;
  console.log(`${command}\n`);
  console.log(markdownTable(["seed", "steps", row.measure, "seconds"], lines));
  const passes = outcomes.filter(({ passed }) => passed).length;
  const verdict = passes >= row.must_pass ? "met" : "not met";
  console.log(
    `\n${passes} of ${seeds} seeds ${row.value_probe ? "are below" : "reach"} ${row.threshold} (at least ${row.must_pass} must): ${verdict}`,
  );
  recordLearning({ row: row.name, title: row.title, command, must_pass: row.must_pass, outcomes });
}

if (options.list) for (const { name, title } of llmRows) console.log(`${name.padEnd(24)} ${title}`);
else {
  console.log(machineNote());
  for (const row of options.row.length > 0 ? options.row.map(findLlmRow) : llmRows) await report(row);
}
