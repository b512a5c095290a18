/**
 * Rows with lists of messages, as TRL's data sets have them. Expected texts and the assistant's parts were recorded with
 * Jinja 3.1.6 in transformers' set-up (trim_blocks, lstrip_blocks, its extension for `{% generation %}`).
 */
import { afterEach, describe, expect, it, vi } from "vitest";
import { DatasetEnv, RolloutHarness } from "../../../src/llm/environments.ts";
import type { ChatMessage, DatasetEnvOptions, Tokenizer } from "../../../src/llm/index.ts";
import { loadTokenizer, memoryFolder } from "../../../src/llm/models.ts";
import { BLOCKS, CHATML, INST, SHORTENED, TRAINING } from "../support/chatTemplates.ts";
import { testTokenizer } from "../support/testTokenizer.ts";
import { TOKENIZER_CONFIG, tokenizerFiles } from "../support/tokenizerJson.ts";

const tokenizerWith = async (chat_template: string): Promise<Tokenizer> =>
  (await loadTokenizer(memoryFolder(tokenizerFiles({ ...TOKENIZER_CONFIG, chat_template }), "m"))).tokenizer;
const chatml = await tokenizerWith(CHATML);

const message = (role: ChatMessage["role"], content: string): ChatMessage => ({ role, content });
/** Writes an end token only behind the last message. */
const LAST_ENDED =
  "{%- for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content }}{{ eos_token if loop.last and m.role == 'assistant' else '\\n' }}{% endfor %}" +
  "{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

const system = message("system", "be brief");
const hello = message("user", "hello ");
const the = message("assistant", "the");
const and = message("user", "and?");
const inside = message("assistant", "in the hello");
const messages = [system, hello, the, and, inside];

const sft = (tokenizer: Tokenizer, train: DatasetEnvOptions["train"], options: object = {}) =>
  new DatasetEnv({ train, tokenizer, objective: "sft", ...options });

/** The first row of a batch of one: its text, the texts that are learnt, and its ids. */
function learnt(tokenizer: Tokenizer, env: DatasetEnv<"sft">) {
  const { input_ids, prompt_lengths, action_mask } = env.reset();
  const ids = [...input_ids.data];
  const own = ids.map((_, i) =>
    action_mask === undefined ? i >= (prompt_lengths[0] ?? 0) : i > 0 && action_mask.data[i - 1] === 1,
  );
  const parts: number[][] = [];
  for (const [i, id] of ids.entries()) {
    if (!own[i]) continue;
    if (i === 0 || !own[i - 1]) parts.push([]);
    parts.at(-1)?.push(id);
  }
  const read = (some: readonly number[]) => tokenizer.decode(some, { skip_special_tokens: false });
  return { text: read(ids), parts: parts.map(read), ids };
}

/** The message of what a call throws. */
function thrown(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "nothing was thrown";
}

describe("conversations for SFT", () => {
  const text =
    "<|im_start|>system\nbe brief<|im_end|>\n<|im_start|>user\nhello <|im_end|>\n<|im_start|>assistant\nthe<|im_end|>\n" +
    "<|im_start|>user\nand?<|im_end|>\n<|im_start|>assistant\nin the hello<|im_end|>";

  it.each([
    ["marks them with generation", TRAINING, text],
    ["does not mark them", CHATML, text.replace("hello <", "hello<")],
  ])("learn the assistant's tokens only, if the template %s", async (_name, template, expected) => {
    const tokenizer = await tokenizerWith(template);
    const found = learnt(tokenizer, sft(tokenizer, [{ messages }]));
    expect(found.text).toBe(expected);
    expect(found.parts).toEqual(["the<|im_end|>", "in the hello<|im_end|>"]);
    expect(found.ids).toEqual([...tokenizer.encode(expected)]);
  });

  it("find the marked parts where tags stand on lines of their own", async () => {
    const tokenizer = await tokenizerWith(BLOCKS);
    expect(tokenizer.applyChatTemplate(messages)).toBe(
      "<u>be brief</u>\n<u>hello </u>\n<a>the\n</a>\n        <|im_end|>\n<u>and?</u>\n<a>in the hello\n!\n</a>\n        <|im_end|>\n",
    );
    expect(tokenizer.assistantSpans?.(messages)).toEqual([
      [33, 37],
      [42, 61],
      [76, 91],
      [96, 115],
    ]);
    expect(tokenizer.assistantSpans?.([hello, the])).toEqual([
      [17, 23],
      [28, 47],
    ]);
    expect(chatml.assistantSpans?.(messages)).toBeNull();
  });

  it("of one turn equal a prompt with a response, in messages or in text", () => {
    const batches = [
      { messages: [and, inside] },
      { prompt: [and], completion: [inside] },
      { prompt: [and], response: inside.content },
      { prompt: and.content, response: [inside] },
      { prompt: and.content, response: inside.content },
    ].map((row) => sft(chatml, [row]).reset());
    for (const batch of batches) expect(batch).toEqual(batches[0]);
    expect(batches[0]?.action_mask).toBeUndefined();
    expect(learnt(chatml, sft(chatml, [{ messages: [and, inside] }])).parts).toEqual([
      "in the hello<|im_end|>",
    ]);
  });

  it("learn what a template writes of earlier answers that it shortens", async () => {
    const tokenizer = await tokenizerWith(SHORTENED);
    const thought = message("assistant", "hm</think>the");
    expect(learnt(tokenizer, sft(tokenizer, [{ messages: [hello, thought, and, thought] }])).parts).toEqual([
      "the<|im_end|>",
      "hm</think>the<|im_end|>",
    ]);
  });

  it.each([
    ["ends the last message only", LAST_ENDED, ["the", "in the hello<|im_end|>"]],
    [
      "wants a question",
      `{{ raise_exception('no user') if not (messages | selectattr('role', 'equalto', 'user') | list) }}${CHATML}`,
      ["the<|im_end|>", "in the hello<|im_end|>"],
    ],
    [
      "wants the system first",
      `{{ raise_exception('late') if messages[1:] | selectattr('role', 'equalto', 'system') | list }}${CHATML}`,
      ["the<|im_end|>", "in the hello<|im_end|>"],
    ],
  ])("learn the assistant's alone, if the template %s", async (_name, template, parts) => {
    const tokenizer = await tokenizerWith(template);
    expect(learnt(tokenizer, sft(tokenizer, [{ messages }])).parts).toEqual(parts);
  });

  it("do not learn what the user writes, even where it is the template's", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const end = message("user", "x<|im_end|>\n<|im_start|>assistant\nno<|im_end|>");
    const found = learnt(chatml, sft(chatml, [{ messages: [end, the, end, inside] }]));
    expect(found.parts).toEqual(["the<|im_end|>", "in the hello<|im_end|>"]);
    const again = message("assistant", "a<|im_end|>b");
    const shortened = { messages: [hello, again, end, inside] };
    expect(learnt(chatml, sft(chatml, [shortened])).parts[0]).toBe("a<|im_end|>b<|im_end|>");
    expect(warn.mock.calls.flat()[0]).toMatch(
      /train: 1 of 1 rows are with the text of special tokens, which they become; the first: row 1: "<\|im_(end|start)\|>"$/,
    );
  });

  it("learn of a token that joins two turns as of what the assistant began", () => {
    const tokenizer = testTokenizer({
      merges: ["=a"],
      template: (all, generation) =>
        all.map(({ role, content }) => (role === "user" ? `${content}=` : `${content};`)).join("") +
        (generation ? "" : "."),
    });
    const found = learnt(
      tokenizer,
      sft(tokenizer, [{ prompt: [message("user", "q")], response: [message("assistant", "ab")] }]),
    );
    expect([found.text, found.parts]).toEqual(["q=ab;.", ["=ab;."]]);
  });

  it("pad their masks, and are cut at the context, counted", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const short = { messages: [and, the] };
    const long = { messages: [and, the, and, inside, and, inside] };
    const far = { messages: [message("user", "very ".repeat(20)), the] };
    const env = sft(chatml, [short, long, far], { max_context_length: 60, data_batch_size_per_gpu: 2 });
    const { input_ids, attention_mask, action_mask } = env.reset();
    expect(input_ids.shape).toEqual([2, 60]);
    expect(action_mask?.shape).toEqual([2, 59]);
    const unpadded = action_mask?.data.every((own, i) => {
      const [row, column] = [Math.floor(i / 59), i % 59];
      return own <= (attention_mask.data[row * 60 + column + 1] ?? 0);
    });
    expect(unpadded).toBe(true);
    expect(warn.mock.calls.flat()).toEqual([
      "rlkit: DatasetEnv: train: 1 of 3 rows are left out because of prompts longer than 59 tokens (max_context_length 60 less min_completion_length 1)",
      "rlkit: DatasetEnv: train: 1 of 3 rows are cut at 60 tokens (max_context_length), so their answers have no end",
    ]);
  });

  afterEach(() => void vi.restoreAllMocks());

  it.each<[string, unknown, string]>([
    ["no list", "hi", 'row 1: messages: found "hi", allowed a list of messages'],
    ["an empty list", [], "row 1: messages: has no message of the assistant"],
    [
      "no answer",
      [hello],
      "row 1: messages: has no message of the assistant, so there is nothing to learn from",
    ],
    [
      "two questions",
      [hello, and, the],
      'messages[1].role: found "user", allowed "assistant" there: a system',
    ],
    [
      "a late system",
      [hello, the, system],
      'messages[2].role: found "system", allowed "user" or "tool" there',
    ],
    [
      "an unknown role",
      [{ role: "function", content: "1" }],
      'messages[0].role: found "function", allowed system, user, assistant, tool',
    ],
    [
      "ShareGPT's keys",
      [{ from: "human", value: "a" }],
      "messages[0].role: found nothing among the keys from, value",
    ],
    ["parts", [{ role: "user", content: [{ type: "text" }] }], "messages[0].content: found"],
  ])("are refused with their place: %s", (_name, given, error) => {
    expect(thrown(() => sft(chatml, [{ messages: given }]))).toContain(
      `DatasetEnv: train: ${error.startsWith("row") ? "" : "row 1: "}${error}`,
    );
  });

  it("are refused without a template, and with one that throws or cannot be split", async () => {
    expect(
      thrown(() =>
        sft(testTokenizer(), [
          { prompt: "a", response: "b" },
          { prompt: [and], response: "b" },
        ]),
      ),
    ).toBe(
      "DatasetEnv: train: row 2: prompt: found a list of messages, but the model has no chat template: name one in chat_template_path, or give texts",
    );
    expect(thrown(() => sft(chatml, [{ messages }], { apply_chat_template: false }))).toContain(
      "row 1: messages: found a list of messages, but apply_chat_template is false: set it to true",
    );
    const strict = await tokenizerWith(INST.replace("'user') !=", "'user') =="));
    expect(thrown(() => sft(strict, [{ messages }]))).toContain(
      "DatasetEnv: train: row 1: m/tokenizer_config.json: chat_template: the chat template fails: roles must alternate",
    );
    const counting = await tokenizerWith(
      "{{ messages | length }}{% for m in messages %}{{ m.content }}{% endfor %}",
    );
    expect(thrown(() => sft(counting, [{ messages }]))).toContain(
      "row 1: chat template: writes the first 2 messages differently once others follow",
    );
    expect(thrown(() => sft(chatml, [{ prompt: { a: 1 }, response: "b" }]))).toContain(
      "row 1: prompt: found",
    );
    expect(
      thrown(() => sft(chatml, [{ messages, response: "b" }], { prompt_template: { user_0: "{messages}" } })),
    ).toBe(
      'prompt_template.user_0: the column "messages" has lists of messages, allowed texts; leave prompt_template out to use such a list as the prompt',
    );
  });
});

describe("conversations for DPO", () => {
  const pairs = (row: Readonly<Record<string, unknown>>) =>
    new DatasetEnv({ train: [row], tokenizer: chatml, objective: "preference" }).reset();
  const [chosen, rejected] = [inside, the];

  it("have their prompt in a column, in both sides, or in text, with the same ids", () => {
    const expected = pairs({ prompt: and.content, chosen: chosen.content, rejected: rejected.content });
    expect(pairs({ prompt: [and], chosen: [chosen], rejected: [rejected] })).toEqual(expected);
    expect(pairs({ chosen: [and, chosen], rejected: [and, rejected] })).toEqual(expected);
    expect(pairs({ prompt: "and?", chosen: [and, chosen], rejected: [and, rejected] })).toEqual(expected);
    expect(pairs({ prompt: and.content, chosen: [chosen], rejected: [rejected] })).toEqual(expected);
    const read = (ids: ArrayLike<number>) => chatml.decode(ids, { skip_special_tokens: false });
    expect(read(expected.chosen_input_ids.data)).toBe(
      "<|im_start|>user\nand?<|im_end|>\n<|im_start|>assistant\nin the hello<|im_end|>",
    );
  });

  it("are left out where they are equal, whole or as far as the context goes", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const good = { prompt: "and?", chosen: "in", rejected: "the" };
    const rows = [
      good,
      { ...good, rejected: "in" },
      { ...good, chosen: "a".repeat(40), rejected: "a".repeat(41) },
    ];
    const options = { train: rows, tokenizer: chatml, objective: "preference" } as const;
    expect(new DatasetEnv({ ...options, max_context_length: 40 }).length).toBe(1);
    expect(warn.mock.calls.flat()).toEqual([
      "rlkit: DatasetEnv: train: 2 of 3 rows are left out because they cannot be used; the first: row 2: chosen and rejected are equal, so there is nothing to prefer; row 3 cannot be used either",
    ]);
    expect(
      thrown(() => new DatasetEnv({ ...options, train: rows.slice(2), max_context_length: 40 })),
    ).toContain("row 1: chosen and rejected are equal up to max_context_length 40");
  });

  it("share as much as both sides begin with", () => {
    const { prompt_lengths, chosen_input_ids } = pairs({
      chosen: [system, hello, the, and, chosen],
      rejected: [system, hello, the, and, rejected],
    });
    const text = chatml.decode(chosen_input_ids.data.subarray(prompt_lengths[0]), {
      skip_special_tokens: false,
    });
    expect(text).toBe("in the hello<|im_end|>");
  });

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    [
      "equal sides",
      { chosen: [and, the], rejected: [and, the] },
      "chosen and rejected are equal, so there is nothing to prefer",
    ],
    [
      "other questions",
      { chosen: [and, the], rejected: [hello, the] },
      "chosen and rejected, shared messages: found no message",
    ],
    ["no prompt", { chosen: [chosen], rejected: [rejected] }, 'has no "prompt"'],
    [
      "a prompt with its answer",
      { prompt: [and, the], chosen: [chosen], rejected: [rejected] },
      'prompt: found a last message of the role "assistant"',
    ],
  ])("are refused: %s", (_name, row, error) => {
    expect(thrown(() => pairs(row))).toContain(`DatasetEnv: train: row 1: ${error}`);
  });
});

describe("conversations that cannot be used among others", () => {
  it("are left out, and counted in a warning with the first reason", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const good = { messages: [hello, the] };
    const env = sft(chatml, [good, { messages: [the, hello] }, good, { messages: [hello] }]);
    expect(env.length).toBe(2);
    expect(warn.mock.calls).toEqual([
      [
        expect.stringMatching(
          /train: 2 of 4 rows are left out because they cannot be used; the first: row 2: .*; row 4 cannot/,
        ),
      ],
    ]);
  });

  it("are refused where no other is left, with their number", () => {
    expect(thrown(() => sft(chatml, [{ messages: [hello] }, { messages: [the] }]))).toMatch(
      /^DatasetEnv: train: row 1: .*; row 2 cannot be used either$/,
    );
  });
});

describe("conversations as prompts of rollouts", () => {
  const harness = (rows: readonly Readonly<Record<string, unknown>>[], tokenizer = chatml) =>
    RolloutHarness.fromDataset(rows, () => 1, { tokenizer });

  it("are written by the template, ready for the answer", async () => {
    const [{ input_ids }] = await harness([{ prompt: [system, hello, the, and] }]).reset({ row_index: 0 });
    expect(chatml.decode(input_ids, { skip_special_tokens: false })).toBe(
      chatml.applyChatTemplate([system, hello, the, and], { add_generation_prompt: true }),
    );
  });

  it("are refused without a template, or without a question at the end", () => {
    expect(thrown(() => harness([{ prompt: [hello] }], testTokenizer()))).toContain(
      "rows: row 1: prompt: found a list of messages, but the model has no chat template",
    );
    expect(thrown(() => harness([{ prompt: [hello, the] }]))).toBe(
      'rows: no row has a prompt that can be used; row 1: prompt: found a last message of the role "assistant", allowed a last message of the role "user" or "tool"',
    );
  });

  it("are left out where they cannot be used, counted in a warning", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    expect(harness([{ prompt: "a" }, { prompt: [hello, the] }, { prompt: [the] }]).dataset_size).toBe(1);
    expect(warn.mock.calls).toEqual([
      [
        expect.stringMatching(
          /rows: 2 of 3 rows are left out because they cannot be used; the first: row 2: /,
        ),
      ],
    ]);
  });
});
