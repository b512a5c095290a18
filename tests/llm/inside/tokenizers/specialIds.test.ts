/** Special tokens of raw text, and where it is encoded. The expected ids are those of transformers 5.18. */
import { describe, expect, it } from "vitest";
import {
  DatasetEnv,
  LanguageModel,
  type LlmEnvironment,
  RolloutHarness,
  type Tokenizer,
} from "../../../../src/llm/index.ts";
import { loadTokenizer, memoryFolder } from "../../../../src/llm/models.ts";
import { withTemplateOf } from "../../../../src/llm/tokenizers/TemplatedTokenizer.ts";
import { memoryFileStore } from "../../../../src/storage/index.ts";
import { CHATML } from "../../support/chatTemplates.ts";
import { modelFolder } from "../../support/modelFolder.ts";
import { idOf, TOKENIZER_CONFIG, TOKENIZER_JSON, tokenizerFiles } from "../../support/tokenizerJson.ts";

const [BOS, TURN, EOS] = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"] as const;
const [bos, turn, eos] = [idOf(BOS), idOf(TURN), idOf(EOS)] as const;
const the = idOf("the");

const token = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
const TEXT = { Sequence: { id: "A", type_id: 0 } };
const OTHER = { Sequence: { id: "B", type_id: 1 } };
const OFFSETS = { type: "ByteLevel", add_prefix_space: true, trim_offsets: false, use_regex: true };
const special = (id: string, ids: readonly number[]) => ({ [id]: { id, ids, tokens: [id] } });
const template = (...single: readonly object[]) => ({
  type: "TemplateProcessing",
  single,
  pair: [TEXT, OTHER],
  special_tokens: {
    ...special(BOS, [bos]),
    ...special(TURN, [turn]),
    ...special(EOS, [eos]),
    ...special("begin", [bos, turn]),
  },
});
const around = { cls: [BOS, bos], sep: [EOS, eos] };

const loaded = async (post_processor: object | null, config: object = {}) =>
  loadTokenizer(
    memoryFolder(
      tokenizerFiles({ ...TOKENIZER_CONFIG, ...config }, { ...TOKENIZER_JSON, post_processor }),
      "m",
    ),
  );
const tokenizerOf = async (...given: Parameters<typeof loaded>): Promise<Tokenizer> =>
  (await loaded(...given)).tokenizer;

const START = template(token(BOS), TEXT);
const BOTH = template(token(BOS), token(TURN), TEXT, token(EOS));

describe("encode with add_special_tokens", () => {
  it.each<[string, object | null, readonly number[], readonly number[]]>([
    ["none", null, [the], [turn, the]],
    ["offsets", OFFSETS, [the], [turn, the]],
    ["a start token", START, [bos, the], [bos, turn, the]],
    ["an end token", template(TEXT, token(EOS)), [the, eos], [turn, the, eos]],
    ["both sides", BOTH, [bos, turn, the, eos], [bos, turn, turn, the, eos]],
    ["a sequence", { type: "Sequence", processors: [OFFSETS, START] }, [bos, the], [bos, turn, the]],
    ["a token of two ids", template(token("begin"), TEXT), [bos, turn, the], [bos, turn, turn, the]],
    ["RoBERTa's", { type: "RobertaProcessing", ...around }, [bos, the, eos], [bos, turn, the, eos]],
    ["BERT's", { type: "BertProcessing", ...around }, [bos, the, eos], [bos, turn, the, eos]],
  ])("%s", async (_name, post_processor, ids, withTurn) => {
    const tokenizer = await tokenizerOf(post_processor);
    const encode = (text: string) => [...tokenizer.encode(text, { add_special_tokens: true })];
    expect(encode("the")).toEqual(ids);
    expect(encode("<|im_start|>the")).toEqual(withTurn);
    expect([...tokenizer.encode("the")]).toEqual([the]);
  });

  it("does not depend on the config, as in transformers, and says so", async () => {
    const { tokenizer, warnings } = await loaded(START, { add_bos_token: false, add_eos_token: true });
    expect([...tokenizer.encode("the", { add_special_tokens: true })]).toEqual([bos, the]);
    expect(warnings).toEqual([
      "m/tokenizer_config.json: add_bos_token: found false, but the post_processor of tokenizer.json adds it to raw text, which decides",
      "m/tokenizer_config.json: add_eos_token: found true, but the post_processor of tokenizer.json does not add it to raw text, which decides",
    ]);
    expect((await loaded(START, { add_bos_token: true, add_eos_token: false })).warnings).toEqual([]);
  });

  it.each([
    [{ ...START, single: [token("[BOS]"), TEXT] }, /post_processor\.special_tokens: has no "\[BOS\]"/],
    [{ ...START, single: [] }, /post_processor\.single: allowed one Sequence/],
    [{ type: "BertProcessing", cls: [BOS, bos] }, /post_processor\.sep: missing/],
    [
      { type: "Sequence", processors: [START, BOTH] },
      /post_processor\.processors: allowed one that adds ids/,
    ],
  ])("refuses %j", async (post_processor, message) => {
    await expect(loaded(post_processor)).rejects.toThrow(message);
  });
});

describe("raw text of a data set", () => {
  const rows = [{ prompt: "the", response: "and", chosen: "and", rejected: "in" }];
  const [and, inside] = ["and", "in"].map((text) => idOf(text));

  it.each([
    ["a start token", START, [bos]],
    ["both sides", BOTH, [bos, turn]],
    ["none", OFFSETS, []],
  ])("%s: once before the prompt, and an end token after the answer", async (_name, processor, before) => {
    const tokenizer = await tokenizerOf(processor);
    const sft = new DatasetEnv({ train: rows, tokenizer, objective: "sft" });
    const { input_ids, prompt_lengths } = sft.evalMode(() => sft.reset());
    expect([...input_ids.data]).toEqual([...before, the, and, eos]);
    expect([...prompt_lengths]).toEqual([before.length + 1]);
    const pairs = new DatasetEnv({ train: rows, tokenizer, objective: "preference" }).reset();
    expect([...pairs.chosen_input_ids.data]).toEqual([...before, the, and, eos]);
    expect([...pairs.rejected_input_ids.data]).toEqual([...before, the, inside, eos]);
  });

  it("other tokens after a text stand before the end token", async () => {
    const tokenizer = await tokenizerOf(template(token(BOS), TEXT, token(TURN)));
    const { input_ids } = new DatasetEnv({ train: rows, tokenizer, objective: "sft" }).reset();
    expect([...input_ids.data]).toEqual([bos, the, and, turn, eos]);
  });

  it("counts towards the longest context", async () => {
    const tokenizer = await tokenizerOf(START);
    const options = { train: rows, tokenizer, objective: "sft", max_context_length: 2 } as const;
    expect(() => new DatasetEnv(options)).toThrow(/all 1 have prompts longer than 1 tokens/);
  });

  it("a chat template writes its own tokens, and nothing is added", async () => {
    const tokenizer = await withTemplateOf(
      await tokenizerOf(BOTH),
      { chat_template_path: "chat.jinja" },
      () => `{{ bos_token }}${CHATML}`,
    );
    const options = { train: rows, tokenizer, objective: "sft" } as const;
    const ids = [...new DatasetEnv({ ...options, apply_chat_template: true }).reset().input_ids.data];
    expect(ids.slice(0, 2)).toEqual([bos, turn]);
    expect(ids.filter((id) => id === bos)).toEqual([bos]);
    expect(ids.slice(-2)).toEqual([and, eos]);
    const raw = new DatasetEnv({ ...options, apply_chat_template: false }).reset();
    expect([...raw.input_ids.data]).toEqual([bos, turn, the, and, eos]);
  });
});

describe("raw text of a rollout", () => {
  const env: LlmEnvironment = {
    reset: () => ["the", {}],
    step: () => [" and", 0, false, false, {}],
  };

  it("starts with the tokens before a text; later turns do not", async () => {
    const tokenizer = await tokenizerOf(BOTH);
    const harness = new RolloutHarness({ env, tokenizer, max_turns: 3 });
    const [{ input_ids }] = await harness.reset({ seed: 1 });
    expect([...input_ids]).toEqual([bos, turn, the]);
    const [next] = await harness.step([...input_ids, the]);
    expect([...next.input_ids]).toEqual([bos, turn, the, the, ...tokenizer.encode(" and")]);
  });

  it("with a template that writes a start token has it once, over several turns", async () => {
    const tokenizer = await withTemplateOf(
      await tokenizerOf(START),
      { chat_template_path: "chat.jinja" },
      () => `{{ bos_token }}${CHATML}`,
    );
    const harness = new RolloutHarness({ env, tokenizer, max_turns: 3 });
    const [{ input_ids }] = await harness.reset({ seed: 1 });
    const [next] = await harness.step([...input_ids, the, eos]);
    expect(next.input_ids[0]).toBe(bos);
    expect([...next.input_ids].filter((id) => id === bos)).toEqual([bos]);
  });

  it("comes from a model's folder", async () => {
    const store = memoryFileStore();
    for (const [name, bytes] of modelFolder()) await store.write(`m/${name}`, bytes);
    const model = await LanguageModel.load("m", { store });
    const harness = new RolloutHarness({ env, tokenizer: model.tokenizer });
    expect([...(await harness.reset({ seed: 1 }))[0].input_ids]).toEqual([bos, the]);
    model.close();
  });
});
