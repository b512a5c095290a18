import { describe, expect, it, vi } from "vitest";
import type { Rubric } from "../../../../src/llm/data/rows.ts";
import { RowsEnvironment, rowsTask } from "../../../../src/llm/environments/RowsEnvironment.ts";
import { builtInRubric, resolveRubric } from "../../../../src/llm/environments/rubrics.ts";
import { DatasetEnv, RolloutHarness } from "../../../../src/llm/environments.ts";
import { builtInModel } from "../../../../src/llm/models.ts";
import type { RolloutEnvSpecInput } from "../../../../src/manifests/index.ts";
import { DatasetEnvSpec, RolloutEnvSpec } from "../../../../src/specs/sections.ts";
import { chatmlTokenizer, testTokenizer } from "../../support/testTokenizer.ts";

const tokenizer = testTokenizer();
const rows = [
  { question: "1+1", answer: "2" },
  { question: "2+3", answer: 5 },
];
const prompt_template = { system_0: "Add.", user_1: "{question}=" };

/** Plays one turn with a text. */
async function answer(harness: RolloutHarness, text: string, row_index = 0) {
  const [{ input_ids }] = await harness.reset({ row_index });
  const [, reward, terminated, , info] = await harness.step([...input_ids, ...tokenizer.encode(text)]);
  return { prompt: tokenizer.decode(input_ids), reward, terminated, info };
}

describe("rubrics", () => {
  const score = async (name: string, completion: string, given: string) =>
    builtInRubric(name)(completion, given, {});

  it.each([
    ["exact_match", " 42\n", "42", 1],
    ["exact_match", "42.", "42", 0],
    ["contains", "It is 42.", "42", 1],
    ["contains", "It is 41.", "42", 0],
    ["number", "17 + 1,025 makes 1,042.", "#### 1042", 1],
    ["number", "first 42, then 43", "42", 0],
    ["number", "-3.5", "-3.50", 1],
    ["number", "none", "none", 0],
  ])("%s of %j against %j", async (name, completion, given, expected) => {
    expect(await score(name, completion, given)).toBe(expected);
  });

  it("come from modules, and never from Python", async () => {
    const mine: Rubric = () => 7;
    const load = vi.fn<(path: string, name: string) => Promise<Rubric>>(async () => mine);
    expect(await resolveRubric("mine.js", "score", load)).toBe(mine);
    expect(load.mock.calls).toEqual([["mine.js", "score"]]);
    await expect(resolveRubric("rewards.py", "reward_fn", load)).rejects.toThrow(
      "Python does not run here; name a built-in rubric (exact_match, contains, number), or write a JavaScript module with export function reward_fn",
    );
    await expect(resolveRubric("exact", "reward_fn", load)).rejects.toThrow("allowed are built-in rubrics");
  });
});

describe("rows as an environment", () => {
  it("has one turn: the row's prompt, and the rubric's reward with its components", async () => {
    const rubric: Rubric = async (completion, given, row) => ({
      right: completion === given ? 1 : 0,
      long: String(row.question).length,
    });
    const harness = RolloutHarness.fromDataset(rows, rubric, { tokenizer, prompt_template });
    expect(harness.dataset_size).toBe(2);
    expect(await answer(harness, "5", 1)).toEqual({
      prompt: "Add.\n2+3=",
      reward: 4,
      terminated: true,
      info: { reward_components: { right: 1, long: 3 } },
    });
    expect((await harness.reset({ row_index: 1 }))[1]).toEqual({ row_index: 1 });
    await expect(harness.reset({ row_index: 2 })).rejects.toThrow(
      'environment "rows", reset: threw: row_index: found 2, allowed integers from 0 to 1',
    );
    const faulty = RolloutHarness.fromDataset(rows, () => Number.NaN, {
      tokenizer,
      prompt_template,
      name: "sums",
    });
    await answer(faulty, "5");
    expect(faulty.getEpisodeData().reward_faults).toEqual([
      { place: 'environment "sums"', found: "NaN", counts: false, count: 1 },
    ]);
  });

  it("names the rubric and the row where one throws", async () => {
    const strict: Rubric = (_completion, given) => {
      if (given === "5") throw new Error("no such answer");
      return 1;
    };
    const harness = RolloutHarness.fromDataset(rows, strict, { tokenizer, prompt_template });
    expect((await answer(harness, "2", 0)).reward).toBe(1);
    await expect(answer(harness, "5", 1)).rejects.toThrow(
      'environment "rows", step of turn 1: threw: rubric "strict", row {"question":"2+3","answer":5}: no such answer',
    );
  });

  it("takes built-in rubrics by name, which need an answer in every row", async () => {
    const harness = RolloutHarness.fromDataset(rows, "exact_match", { tokenizer, prompt_template });
    expect([(await answer(harness, "2")).reward, (await answer(harness, "3")).reward]).toEqual([1, 0]);
    const other = { tokenizer, prompt_template, answer_column: "question" };
    expect((await answer(RolloutHarness.fromDataset(rows, "contains", other), "1+1")).reward).toBe(1);
    const unanswered = [...rows, { question: "3+3" }];
    expect(() => RolloutHarness.fromDataset(unanswered, "contains", { tokenizer, prompt_template })).toThrow(
      'rows: row 3 has no "answer"; found: question',
    );
    expect(() => RolloutHarness.fromDataset(rows, "exact", { tokenizer })).toThrow(
      'rubric: found "exact", allowed exact_match, contains, number, or a function',
    );
  });

  it("writes messages in the model's chat form", async () => {
    const chat = chatmlTokenizer();
    const harness = RolloutHarness.fromDataset(rows, () => 1, { tokenizer: chat, prompt_template });
    const [{ input_ids }] = await harness.reset({ row_index: 0 });
    expect(chat.decode(input_ids, { skip_special_tokens: false })).toBe(
      "<|im_start|>system\nAdd.<|im_end|>\n<|im_start|>user\n1+1=<|im_end|>\n<|im_start|>assistant\n",
    );
  });

  it("goes through all rows by itself, counts epochs, and evaluates on those held out", () => {
    const many = Array.from({ length: 5 }, (_, i) => ({ prompt: `p${i}` }));
    const env = new RowsEnvironment(rowsTask(many, () => 1, { test_rows: [{ prompt: "held out" }] }));
    const contents = Array.from({ length: 5 }, () => env.reset()[0][0]?.content);
    expect(contents.map(String).toSorted((a, b) => a.localeCompare(b))).toEqual([
      "p0",
      "p1",
      "p2",
      "p3",
      "p4",
    ]);
    expect(env.num_epochs).toBe(1);
    env.setEvaluation(true);
    expect(env.dataset_size).toBe(1);
    expect(env.reset(1, { row_index: 0 })[0]).toEqual([{ role: "user", content: "held out" }]);
    env.setEvaluation(false);
    expect(env.dataset_size).toBe(5);
    expect(env.reset(1, { row_index: 0 })[0]).toEqual([{ role: "user", content: "p0" }]);
    expect(() => rowsTask([], () => 1)).toThrow("rows: found no rows, allowed at least one");
    expect(() => rowsTask(rows, () => 1, { name: "sums" })).toThrow(
      'sums: row 1 has no "prompt"; found: question, answer',
    );
  });
});

describe("a harness as a manifest describes it", () => {
  const spec = (input: Omit<RolloutEnvSpecInput, "env_type">) =>
    RolloutEnvSpec.parse({ env_type: "rollout", ...input });
  const dataset = { dataset: "sums.jsonl", rubric_file_path: "exact_match", prompt_template };
  const readText = (path: string) =>
    path === "sums.jsonl" ? rows.map((row) => JSON.stringify(row)).join("\n") : "";

  it("plays a built-in environment with its arguments and turns", async () => {
    const harness = await RolloutHarness.fromSpec(
      spec({ entrypoint: "rlkit/ConstantTarget", env_config: { target: "4", prompt: "20" }, max_turns: 3 }),
      { tokenizer, max_model_len: 8, max_output_tokens: 2 },
    );
    expect([harness.max_turns, harness.prompt_budget]).toEqual([3, 6]);
    expect(await answer(harness, "4")).toMatchObject({ prompt: "20", reward: 1 });
  });

  it("plays rows of a file, read once, or built in", async () => {
    let reads = 0;
    const make = await RolloutHarness.factoryFromSpec(
      spec({ ...dataset, train_test_split: 1, columns: { q: "question" } }),
      {
        tokenizer,
        readText: (path) => {
          reads++;
          return readText(path);
        },
      },
    );
    const [first, second] = [make(), make()];
    expect(first.env).not.toBe(second.env);
    expect(
      (await answer(first, "x", 0)).reward +
        (await answer(second, "5", 0)).reward +
        (await answer(second, "2", 0)).reward,
    ).toBe(1);
    expect(reads).toBe(1);
    const backwards = await RolloutHarness.fromSpec(
      spec({
        dataset: "rlkit/backwards",
        rubric_file_path: "exact_match",
        prompt_template: { user_0: "{prompt}" },
      }),
      { tokenizer },
    );
    expect(backwards.dataset_size).toBe(3840);
    const { prompt } = await answer(backwards, "x", 9);
    expect((await answer(backwards, Array.from(prompt.slice(0, 4)).reverse().join(""), 9)).reward).toBe(1);
  });

  it("writes prompts by the chat template that the manifest names, also of labelled rows", async () => {
    const template = "{{ eos_token }}{% for message in messages %}[{{ message.content }}]{% endfor %}";
    const texts = {
      "chat.jinja": template,
      "torn.jinja": "{% for",
      "pairs.json": '[{"prompt": "a", "response": "b"}]',
    };
    const read = (path: string) => texts[path as keyof typeof texts] ?? readText(path);
    const { tokenizer: digits } = builtInModel("rlkit/tiny-letters");
    const named = { ...dataset, train_test_split: 1, chat_template_path: "chat.jinja" };
    const harness = await RolloutHarness.fromSpec(spec(named), { tokenizer: digits, readText: read });
    const [{ input_ids }] = await harness.reset({ row_index: 0 });
    expect(digits.decode(input_ids, { skip_special_tokens: false })).toMatch(
      /^<eos>\[Add.\]\[[12]\+[13]=\]$/,
    );

    const labelled = DatasetEnvSpec.parse({
      env_type: "dataset",
      dataset: "pairs.json",
      objective: "sft",
      chat_template_path: "chat.jinja",
      train_test_split: 1,
    });
    const env = await DatasetEnv.fromSpec(labelled, { tokenizer: digits, readText: read });
    const [batch] = [env.reset()];
    expect("input_ids" in batch && digits.decode(batch.input_ids.data)).toBe("[a]b");

    const torn = await RolloutHarness.fromSpec(spec({ ...named, chat_template_path: "torn.jinja" }), {
      tokenizer: digits,
      readText: read,
    });
    await expect(torn.reset({ row_index: 0 })).rejects.toThrow("torn.jinja: the chat template fails");
    const plain = RolloutHarness.fromSpec(
      spec({ entrypoint: "rlkit/ConstantTarget", chat_template_path: "x" }),
      {
        tokenizer,
      },
    );
    await expect(plain).rejects.toThrow('chat_template_path: found "x"; files cannot be read here');
  });

  it("compares with the column that the manifest names", async () => {
    const harness = await RolloutHarness.fromSpec(
      spec({ ...dataset, train_test_split: 1, response_column: "question" }),
      {
        tokenizer,
        readText,
      },
    );
    const { prompt } = await answer(harness, "x");
    expect((await answer(harness, prompt.slice(5, 8))).reward).toBe(1);
  });

  it("refuses what is not supported, with what to use instead", async () => {
    const refused: [Omit<RolloutEnvSpecInput, "env_type">, string][] = [
      [
        { env_url: "http://localhost", max_turns: 1 },
        'environment.env_url: found "http://localhost"; environments by URL',
      ],
      [
        { env_image: "img", max_turns: 1 },
        'environment.env_image: found "img"; containers are not supported',
      ],
      [
        { entrypoint: "a:B", factory: "a:make" },
        'environment.factory: found "a:make"; Python does not run here; write a JavaScript module with export function make(entrypoint, env_config)',
      ],
      [
        { entrypoint: "games:Guess-v0" },
        'environment.entrypoint: found "games:Guess-v0"; Python does not run here; write a JavaScript module with export class Environment',
      ],
      [
        { entrypoint: "rlkit/GridNavigaton" },
        'environment.entrypoint: found "rlkit/GridNavigaton", allowed a built-in id (rlkit/ConstantTarget,',
      ],
      [
        { ...dataset, rubric_file_path: "reward.py" },
        'rubric_file_path: found "reward.py"; Python does not run here; name a built-in rubric',
      ],
      [{ entrypoint: "rlkit/GridNavigation", mcp_tool: "search" }, "environment.mcp_tool"],
      [
        { entrypoint: "rlkit/GridNavigation", observation_processor: "a:b" },
        'environment.observation_processor: found "a:b"; Python does not run here; write a JavaScript module with export function read',
      ],
      [{ entrypoint: "rlkit/GridNavigation", env_config: { size: 9 } }, "env_config.size"],
      [
        { ...dataset, dataset: undefined, hf_dataset_id: "a/b" },
        'hf_dataset_id: found "a/b", which is not in the cache; fetch it first',
      ],
      [{ ...dataset, dataset: "rlkit/backward" }, 'which is not a file; did you mean "rlkit/backwards"?'],
      [
        { ...dataset, dataset: "sums.parquet" },
        'dataset: found "sums.parquet", whose bytes are needed; give the option store',
      ],
      [{ ...dataset, dataset: "empty.csv" }, "empty.csv: found no rows"],
      [{ ...dataset, columns: { prompt: "q" } }, 'sums.jsonl: row 1 has no "q"'],
    ];
    for (const [input, message] of refused)
      await expect(RolloutHarness.fromSpec(spec(input), { tokenizer, readText })).rejects.toThrow(message);
    await expect(RolloutHarness.fromSpec(spec(dataset), { tokenizer })).rejects.toThrow(
      "files cannot be read here",
    );
  });
});
