/** Rows with tools, calls of them and their results. */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DatasetEnv, RolloutHarness } from "../../../src/llm/environments.ts";
import type { ChatMessage, Tokenizer } from "../../../src/llm/index.ts";
import { loadTokenizer, memoryFolder } from "../../../src/llm/models.ts";
import { CHATML } from "../support/chatTemplates.ts";
import { testTokenizer } from "../support/testTokenizer.ts";
import { TOKENIZER_CONFIG, tokenizerFiles } from "../support/tokenizerJson.ts";
import { CONVERSATION, HERMES_TOOLS, LLAMA_TOOLS, THINKING_TOOLS, TOOLS } from "../support/toolTemplates.ts";

const TEMPLATES: Readonly<Record<string, string>> = { HERMES_TOOLS, LLAMA_TOOLS, THINKING_TOOLS };
// Written as a data set has them; their types are those of their literals.
const conversation = CONVERSATION as readonly ChatMessage[];
const recorded = JSON.parse(readFileSync("tests/llm/fixtures/toolTexts.json", "utf8")) as Record<
  string,
  string
>;

const tokenizerWith = async (chat_template: string): Promise<Tokenizer> => {
  const config = { ...TOKENIZER_CONFIG, bos_token: "<|endoftext|>", chat_template };
  return (await loadTokenizer(memoryFolder(tokenizerFiles(config), "m"))).tokenizer;
};
const hermes = await tokenizerWith(HERMES_TOOLS);
const read = (ids: ArrayLike<number>): string => hermes.decode(ids, { skip_special_tokens: false });

/** The parts of the first row that are learnt. */
function learnt(tokenizer: Tokenizer, row: object): string[] {
  const { input_ids, prompt_lengths, action_mask } = new DatasetEnv({
    train: [row as Readonly<Record<string, unknown>>],
    tokenizer,
    objective: "sft",
  }).reset();
  const parts: number[][] = [];
  let before = false;
  for (const [i, id] of input_ids.data.entries()) {
    const own = action_mask ? i > 0 && action_mask.data[i - 1] === 1 : i >= (prompt_lengths[0] ?? 0);
    if (own && !before) parts.push([]);
    if (own) parts.at(-1)?.push(id);
    before = own;
  }
  return parts.map(read);
}

const ANSWERS = [
  "hi<|im_end|>",
  '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Köln", "days": 2, "exact": true, "near": null, "at": 1.5}}\n</tool_call><|im_end|>',
  'the time, too\n<tool_call>\n{"name": "time", "arguments": {}}\n</tool_call><|im_end|>',
  "<think>\n\n</think>\n\nno rain at 12<|im_end|>",
];

afterEach(() => void vi.restoreAllMocks());

describe("tools in a chat template", () => {
  it.each(Object.entries(recorded))("%s: the text of transformers", async (name, text) => {
    const [template = "", tools, prompt] = name.split(" ");
    const tokenizer = await tokenizerWith(TEMPLATES[template] ?? "");
    const add_generation_prompt = prompt === "True";
    const messages = add_generation_prompt ? conversation.slice(0, 6) : conversation;
    const kwargs = tools === "with" ? { tools: TOOLS } : {};
    expect(tokenizer.applyChatTemplate(messages, { add_generation_prompt, kwargs })).toBe(text);
  });
});

describe("a row's tools", () => {
  const row = { messages: CONVERSATION, tools: TOOLS };

  it("are written for SFT, and the assistant's messages learnt alone, with their calls", async () => {
    const sft = new DatasetEnv({ train: [row], tokenizer: hermes, objective: "sft" });
    expect(read(sft.reset().input_ids.data)).toBe(recorded["HERMES_TOOLS with False"]?.trimEnd());
    expect(learnt(await tokenizerWith(THINKING_TOOLS), row)).toEqual(ANSWERS);
  });

  it("may be JSON in a text", () => {
    const [list, text] = [TOOLS, JSON.stringify(TOOLS)].map((tools) =>
      new DatasetEnv({ train: [{ ...row, tools }], tokenizer: hermes, objective: "sft" }).reset(),
    );
    expect(text).toEqual(list);
  });

  it("are in the prompts of pairs and of rollouts", async () => {
    const prompt = conversation.slice(0, 6);
    const opening = recorded["HERMES_TOOLS with True"] ?? "";
    const pair = { prompt, chosen: "no", rejected: conversation.slice(6), tools: TOOLS };
    const env = new DatasetEnv({ train: [pair], tokenizer: hermes, objective: "preference" });
    const { chosen_input_ids, prompt_lengths, rejected_input_ids } = env.reset();
    for (const { data } of [chosen_input_ids, rejected_input_ids])
      expect(read(data.subarray(0, prompt_lengths[0]))).toBe(opening);
    const harness = RolloutHarness.fromDataset([{ prompt, tools: TOOLS }], () => 1, { tokenizer: hermes });
    const [{ input_ids }] = await harness.reset({ row_index: 0 });
    expect(read(input_ids)).toBe(opening);
  });

  it.each([
    [{ tools: "hammer" }, /row 1: tools: found a text that is not JSON/],
    [{ tools: ["hammer"] }, /row 1: tools: found .*allowed a list of JSON schemas/],
    [{ messages: [{ role: "user", content: "a", tool_calls: [{}] }] }, /messages\[0\]\.tool_calls: found/],
    [{ messages: [conversation[1], { role: "tool", content: "1" }] }, /messages\[1\]\.role: found "tool"/],
    [
      { messages: [conversation[1], { role: "assistant", tool_calls: [] }] },
      /messages\[1\]\.content: found nothing/,
    ],
    [{ messages: [conversation[1], { role: "assistant", content: "a", weight: 0.5 }] }, /weight: found 0\.5/],
  ])("are refused: %j", (part, message) => {
    const train = [{ ...row, ...part }];
    expect(() => new DatasetEnv({ train, tokenizer: hermes, objective: "sft" })).toThrow(message);
  });

  it("without effect are said, but not where a prompt template has the column as text", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const plain = { prompt: "a", response: "b" };
    const sft = (tokenizer: Tokenizer, tools: unknown, options: object = {}) =>
      new DatasetEnv({ train: [plain, { ...plain, tools }], tokenizer, objective: "sft", ...options });
    sft(await tokenizerWith(CHATML), TOOLS);
    sft(testTokenizer(), TOOLS);
    RolloutHarness.fromDataset([{ prompt: "a", tools: TOOLS }], () => 1, { tokenizer: testTokenizer() });
    const said = warn.mock.calls.flat();
    expect(said).toEqual([
      "rlkit: DatasetEnv: train: row 2: tools: have no effect, since the chat template does not write them",
      "rlkit: DatasetEnv: train: row 2: tools: have no effect, since no chat template is used",
      "rlkit: rows: row 1: tools: have no effect, since no chat template is used",
    ]);
    const texts = [{ ...plain, tools: "hammer" }];
    const prompt_template = { user_0: "{tools}" };
    const env = new DatasetEnv({ train: texts, tokenizer: hermes, objective: "sft", prompt_template });
    expect(read(env.reset().input_ids.data)).toContain("user\nhammer<|im_end|>");
    expect(warn).toHaveBeenCalledTimes(said.length);
  });
});

describe("a weight of 0", () => {
  const messages = conversation.map((message, i) =>
    i === 2 || i === 6 ? { ...message, weight: 0 } : message,
  );
  const [, call, , last] = ANSWERS;

  it("keeps a message from being learnt, by prefix and by marks", async () => {
    expect(learnt(await tokenizerWith(THINKING_TOOLS), { messages })).toEqual([call, last]);
    const marking = await tokenizerWith(
      "{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}{{ m.content }}<|im_end|>{% endgeneration %}{% else %}{{ m.content }};{% endif %}{% endfor %}",
    );
    const talk = [messages[1], messages[2], messages[3], messages[8]];
    expect(learnt(marking, { messages: talk })).toEqual(["no rain at 12<|im_end|>"]);
  });

  it("leaves nothing to learn where all have it, and is refused in an answer", () => {
    const none = [messages[1], messages[2]];
    const sft = (row: object) => () => learnt(hermes, row);
    expect(sft({ messages: none })).toThrow(/has no message of the assistant/);
    expect(sft({ prompt: "a", response: [messages[2]] })).toThrow(/weight: found 0 in an answer/);
  });
});
