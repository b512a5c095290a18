/**
 * `npx tsx bench/chatStages.ts [--seeds 1,2,3] [--rows 2000]`: a model of 10 million parameters is trained whole on chats,
 * then by SFT, DPO and GRPO in turn, each with an adapter. LLMES takes GRPO's place for as long as it took. Prints what each
 * stage raises on held-out questions, and records it.
 */
import { parseArgs } from "node:util";
import { WasmDevice } from "../src/kernels/index.ts";
import { findLlmAlgorithm, type LlmSpec } from "../src/llm/algorithms.ts";
import { DatasetEnv, RolloutHarness } from "../src/llm/environments.ts";
import {
  AgentOnDevice,
  DatasetRunner,
  firstMember,
  greedyCompletions,
  type LlmMember,
  type MemberRunner,
  RolloutRunner,
  withPolicy,
} from "../src/llm/members.ts";
import { AlgoSpec } from "../src/manifests/index.ts";
import { machineNote } from "./harness/machine.ts";
import { record } from "./harness/record.ts";
import { summarise } from "./harness/statistics.ts";
import { markdownTable } from "./harness/table.ts";
import {
  isPolite,
  isRight,
  letterChats,
  letterModel,
  letterTokenizer,
  randomWeights,
} from "./subjects/letterChats.ts";

const { values: options } = parseArgs({
  options: { seeds: { type: "string", default: "1,2,3" }, rows: { type: "string", default: "2000" } },
});

type Policy = LlmMember["policy"];

interface Stage {
  readonly title: string;
  readonly algorithm: Readonly<Record<string, unknown>>;
  readonly whole?: boolean;
  /** Passes over the rows, or iterations; or the stage that it takes the place and the processor time of. */
  readonly iterations: number | string;
  readonly measure: string;
}

const MODEL_LEN = 64;
const LORA = { lora_r: 16, lora_alpha: 32, target_modules: "all-linear" } as const;
const SEPARATE = { use_separate_reference_adapter: true };
const BATCH = 16;

const ROWS = Number(options.rows);
const STAGES: readonly Stage[] = [
  {
    title: "trained whole",
    algorithm: { name: "SFT", lr: 1e-3, batch_size: BATCH },
    whole: true,
    iterations: 2 * Math.ceil(ROWS / BATCH),
    measure: "log-likelihood of a token",
  },
  {
    title: "SFT",
    algorithm: { name: "SFT", lr: 1e-3, batch_size: BATCH },
    iterations: Math.ceil(ROWS / BATCH / 2),
    measure: "log-likelihood of a token",
  },
  {
    title: "DPO",
    algorithm: { name: "DPO", lr: 3e-4, batch_size: 8, beta: 0.1, nll_alpha: 0, ...SEPARATE },
    iterations: 40,
    measure: "share of polite answers",
  },
  {
    title: "GRPO",
    algorithm: {
      name: "GRPO",
      lr: 5e-4,
      batch_size: 8,
      group_size: 8,
      update_epochs: 1,
      beta: 0.001,
      max_output_tokens: 10,
      temperature: 1,
      ...SEPARATE,
    },
    iterations: 20,
    measure: "mean reward",
  },
  {
    title: "LLMES",
    algorithm: { name: "LLMES", perturbations: 16, batch_size: 8, max_output_tokens: 10, temperature: 1 },
    iterations: "GRPO",
    measure: "mean reward",
  },
];

/** 1 for a right answer that ends with an exclamation mark, which no stage before asks for. */
const reward = (completion: string, answer: string): number =>
  isRight(completion, answer) && completion.trim().endsWith("!") ? 1 : 0;

interface Outcome {
  readonly seed: number;
  readonly title: string;
  readonly measure: string;
  readonly before: number;
  readonly after: number;
  /** Processor time in seconds. */
  readonly seconds: number;
}

async function train(seed: number): Promise<Outcome[]> {
  const chats = letterChats(seed, ROWS);
  const tokenizer = await letterTokenizer();
  const config = letterModel(tokenizer.vocab_size);
  let base = randomWeights(config, seed);
  let policy: Policy = {};
  const outcomes: Outcome[] = [];
  /** The adapter that each stage began with. */
  const begun: Record<string, Policy> = {};
  for (const { title, algorithm, whole = false, iterations, measure } of STAGES) {
    if (typeof iterations === "string") policy = begun[iterations] ?? policy;
    begun[title] = policy;
    const evolves = algorithm.name === "LLMES";
    const spec = AlgoSpec.parse({
      max_model_len: MODEL_LEN,
      ...(!evolves && { max_grad_norm: 1, micro_batch_size_per_gpu: 8 }),
      ...algorithm,
      pretrained_model_name_or_path: "letters",
    }) as LlmSpec;
    const found = findLlmAlgorithm(spec.name);
    if (!found) throw new Error(`no algorithm ${spec.name}`);
    const parts = {
      id: "letters",
      config,
      weights: base,
      stored: null,
      folder: null,
      tokenizer,
      built_in: whole,
      warnings: [],
    };
    const agent = await AgentOnDevice.open(
      { parts, algorithm: found, spec, lora: whole ? null : LORA },
      new WasmDevice(),
    );
    const harness = () =>
      RolloutHarness.fromDataset(chats.grpo.train, reward, {
        test_rows: chats.grpo.test,
        tokenizer,
        max_model_len: agent.max_model_len,
        max_output_tokens: 10,
      });
    const runner: MemberRunner =
      found.kind !== "dataset"
        ? new RolloutRunner({
            agent,
            makeHarness: harness,
            max_turns: 1,
            eval_loop: 200,
            max_reward: 1,
            io_timeout_s: null,
          })
        : new DatasetRunner({
            agent,
            env: new DatasetEnv({
              ...(spec.name === "DPO" ? chats.dpo : chats.sft),
              tokenizer,
              objective: spec.name === "DPO" ? "preference" : "sft",
              data_batch_size_per_gpu: spec.batch_size,
              seed,
            }),
            eval_loop: Math.ceil(100 / spec.batch_size),
            shown: 0,
          });
    const place = { seed, slot: 0 };
    const fresh = await withPolicy(agent.plan, firstMember(agent.plan.spec, 0), seed);
    // A stage goes on with the adapter of the one before, which is also its reference.
    const carried = Object.entries(policy).flatMap(([name, values]) => {
      const reference = name.replace("actor.", "reference.");
      return [name, reference].filter((own) => own in fresh.policy).map((own) => [own, values] as const);
    });
    let member: LlmMember = { ...fresh, policy: { ...fresh.policy, ...Object.fromEntries(carried) } };
    const score = async (): Promise<number> => {
      if (spec.name !== "DPO") return (await runner.evaluate(member, place)).fitness;
      agent.write(member.policy);
      return politeShare(agent, chats.dpo.test);
    };
    const before = await score();
    const start = process.cpuUsage();
    const taken = (): number => {
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1e6;
    };
    const limit = outcomes.find((one) => one.title === iterations)?.seconds ?? 0;
    const isDue = (done: number) => (typeof iterations === "string" ? taken() < limit : done < iterations);
    for (let done = 0; isDue(done); done++) member = (await runner.iteration(member, place)).member;
    const seconds = taken();
    const after = await score();
    const actor = Object.entries(member.policy).filter(([name]) => name.startsWith("actor."));
    if (whole) base = new Map(actor.map(([name, values]) => [name.slice("actor.".length), values]));
    else policy = Object.fromEntries(actor);
    await runner.close();
    agent.close();
    const outcome = { seed, title, measure, before, after, seconds };
    outcomes.push(outcome);
    console.error(cellsOf(outcome).join("  "));
  }
  return outcomes;
}

/** Share of held-out questions whose greedy answer is polite. */
async function politeShare(
  agent: AgentOnDevice,
  rows: ReturnType<typeof letterChats>["dpo"]["test"],
): Promise<number> {
  const env = new DatasetEnv({
    train: rows.map(({ prompt, chosen }) => ({ messages: [...prompt, ...chosen] })),
    tokenizer: agent.plan.parts.tokenizer,
    objective: "sft",
  });
  const { completions } = await greedyCompletions(agent, env.heldOut(rows.length));
  const good = completions.filter(({ completion }) => isPolite(completion));
  return good.length / rows.length;
}

const cellsOf = ({ seed, title, measure, before, after, seconds }: Outcome): string[] => [
  String(seed),
  title,
  measure,
  before.toFixed(3),
  after.toFixed(3),
  after > before ? "yes" : "no",
  seconds.toFixed(0),
];

console.log(machineNote());
const outcomes: Outcome[] = [];
const seeds = options.seeds.split(",").map(Number);
for (const seed of seeds) outcomes.push(...(await train(seed)));
console.log(
  markdownTable(
    ["seed", "stage", "held-out measure", "before", "after", "raised", "processor time, s"],
    outcomes.map(cellsOf),
  ),
);
const inTurn = outcomes.filter(({ title }) => title !== "LLMES");
const raised = seeds.filter((seed) => inTurn.every((one) => one.seed !== seed || one.after > one.before));
const gains = (title: string) =>
  summarise(outcomes.filter((one) => one.title === title).map(({ before, after }) => after - before));
record({
  row: "chat-stages",
  title: "10M model on chats: SFT, DPO and GRPO each raise their measure",
  command: `npx tsx bench/chatStages.ts --seeds ${options.seeds} --rows ${options.rows}`,
  figures: [
    {
      name: "seeds in which every stage raises its held-out measure",
      unit: `of ${seeds.length}`,
      target: { at_least: seeds.length },
      digits: 0,
    },
    ...STAGES.map(({ title, measure }) => ({
      name: `${title}, gain of the ${measure}`,
      unit: "",
      digits: 2,
    })),
  ],
  summaries: [summarise([raised.length]), ...STAGES.map(({ title }) => gains(title))],
});
