import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadTokenizer, memoryFolder } from "../../../../src/llm/models.ts";
import { endTokens } from "../../../../src/llm/tokenizers/AbsentTokenizer.ts";
import { type LoadedTokenizer, loadTokenizerIfThere } from "../../../../src/llm/tokenizers/loadTokenizer.ts";
import { withTemplateOf } from "../../../../src/llm/tokenizers/TemplatedTokenizer.ts";
import { idOf, TOKENIZER_CONFIG, TOKENIZER_JSON, tokenizerFiles } from "../../support/tokenizerJson.ts";

const load = (files: Map<string, Uint8Array>): Promise<LoadedTokenizer> =>
  loadTokenizer(memoryFolder(files, "m"));

describe("a tokenizer of files", () => {
  it("merges as its file says, without tokens of its own", async () => {
    const { tokenizer, warnings } = await load(tokenizerFiles());
    expect([...tokenizer.encode("the hello and the")]).toEqual(
      ["the", "Ġ", "hello", "Ġa", "n", "d", "Ġthe"].map(idOf),
    );
    expect(tokenizer.encode("")).toEqual(new Int32Array(0));
    expect(warnings).toEqual([]);
  });

  it("has the ids of special tokens, and those up to the last", async () => {
    const { tokenizer } = await load(tokenizerFiles());
    expect(tokenizer.eos_token_id).toBe(idOf("<|im_end|>"));
    expect(tokenizer.pad_token_id).toBe(idOf("<|endoftext|>"));
    expect(tokenizer.vocab_size).toBe(idOf("<|im_end|>") + 1);
  });

  it("reads special tokens in a text, and leaves them out of one unless told otherwise", async () => {
    const { tokenizer } = await load(tokenizerFiles());
    const ids = tokenizer.encode("<|im_start|>the<|im_end|>");
    expect([...ids]).toEqual(["<|im_start|>", "the", "<|im_end|>"].map(idOf));
    expect(tokenizer.decode(ids)).toBe("the");
    expect(tokenizer.decode(ids, { skip_special_tokens: false })).toBe("<|im_start|>the<|im_end|>");
  });

  it("gives back every text, byte by byte", async () => {
    const { tokenizer } = await load(tokenizerFiles());
    const word = fc.constantFrom("the", " ", "hell", "o ", "and", "ing", ", isn't .", "\n", "é", "😀");
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string({ unit: "grapheme" }))), (words) => {
        const text = words.join("");
        expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
      }),
    );
  });

  it("gives no text for no ids, and for ids that are no tokens", async () => {
    const { tokenizer } = await load(tokenizerFiles());
    expect(tokenizer.decode([])).toBe("");
    expect(tokenizer.decode([9999, idOf("the"), -1])).toBe("the");
    expect(tokenizer.decode([9999])).toBe("");
  });

  it("tidies spaces where the config says so, but not those of BPE, as in transformers", async () => {
    const TIDY = "clean_up_tokenization_spaces";
    const words = { type: "WordLevel", vocab: { the: 0, ",": 1, end: 2, is: 3, "n't": 4 }, unk_token: "the" };
    const wordLevel = {
      ...TOKENIZER_JSON,
      added_tokens: [],
      decoder: null,
      post_processor: null,
      model: words,
    };
    const decoded = async (config: object, file: object, ids: readonly number[]) =>
      (
        await load(
          tokenizerFiles({ ...TOKENIZER_CONFIG, eos_token: "end", pad_token: "end", ...config }, file),
        )
      ).tokenizer.decode(ids);
    expect(await decoded({ [TIDY]: true }, wordLevel, [0, 1, 3, 4])).toBe("the, isn't");
    expect(await decoded({}, wordLevel, [0, 1, 3, 4])).toBe("the , is n't");
    const text = "the , is n't .";
    const { tokenizer } = await load(tokenizerFiles({ ...TOKENIZER_CONFIG, [TIDY]: true }));
    expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
    const anyway = { [TIDY]: true, [`${TIDY}_for_bpe_even_though_it_will_corrupt_output`]: true };
    const forced = (await load(tokenizerFiles({ ...TOKENIZER_CONFIG, ...anyway }))).tokenizer;
    expect(forced.decode(forced.encode(text))).toBe("the, isn't.");
  });
});

describe("special tokens", () => {
  it("may be objects, or stand in special_tokens_map.json", async () => {
    const object = { ...TOKENIZER_CONFIG, eos_token: { __type: "AddedToken", content: "<|im_end|>" } };
    expect((await load(tokenizerFiles(object))).tokenizer.eos_token_id).toBe(idOf("<|im_end|>"));
    const map = new TextEncoder().encode('{"eos_token":{"content":"<|im_end|>"},"pad_token":"<|im_start|>"}');
    const { tokenizer } = await load(tokenizerFiles(null).set("special_tokens_map.json", map));
    expect([tokenizer.eos_token_id, tokenizer.pad_token_id]).toEqual(
      ["<|im_end|>", "<|im_start|>"].map(idOf),
    );
  });

  it("are special although the tokenizer's file does not add them", async () => {
    const { tokenizer } = await load(tokenizerFiles({ eos_token: "hello", pad_token: "<|im_end|>" }));
    expect(tokenizer.eos_token_id).toBe(idOf("hello"));
    expect(tokenizer.decode([idOf("the"), idOf("hello")])).toBe("the");
    const plain = TOKENIZER_JSON.added_tokens.map((token) => ({ ...token, special: false }));
    const file = { ...TOKENIZER_JSON, added_tokens: plain };
    const other = (await load(tokenizerFiles(TOKENIZER_CONFIG, file))).tokenizer;
    expect(other.decode(["the", "<|im_end|>", "<|im_start|>"].map(idOf))).toBe("the<|im_start|>");
  });

  it("without one for padding that of the end pads, with a warning", async () => {
    const { tokenizer, warnings } = await load(tokenizerFiles({ eos_token: "<|im_end|>", pad_token: null }));
    expect(tokenizer.pad_token_id).toBe(tokenizer.eos_token_id);
    expect(warnings).toEqual([
      'm/tokenizer_config.json: pad_token: missing; eos_token "<|im_end|>" is used for padding',
    ]);
  });

  it.each([
    [{}, /m\/tokenizer_config\.json: eos_token: missing; expected a token of the vocabulary/],
    [{ eos_token: "</s>" }, /m\/tokenizer_config\.json: eos_token: found "<\/s>", which is not a token/],
    [{ eos_token: "<|im_end|>", pad_token: "[PAD]" }, /pad_token: found "\[PAD\]", which is not a token/],
    [{ eos_token: 3 }, /m\/tokenizer_config\.json: eos_token: .*found 3/],
  ])("refuses %j", async (config, message) => {
    await expect(load(tokenizerFiles(config))).rejects.toThrow(message);
  });
});

describe("tokens that end a completion", () => {
  const withGeneration = (content: unknown) =>
    load(tokenizerFiles().set("generation_config.json", new TextEncoder().encode(JSON.stringify(content))));

  it("are the end token, and those of generation_config.json, one or a list", async () => {
    const [end, text] = [idOf("<|im_end|>"), idOf("<|endoftext|>")];
    const stops = async (content: unknown) => (await withGeneration(content)).tokenizer.stop_token_ids;
    expect((await load(tokenizerFiles())).tokenizer.stop_token_ids).toEqual([end]);
    expect(await stops({ temperature: 0.6 })).toEqual([end]);
    expect(await stops({ eos_token_id: text })).toEqual([end, text]);
    expect(await stops({ eos_token_id: [end, text] })).toEqual([end, text]);
    await expect(stops({ eos_token_id: "<|im_end|>" })).rejects.toThrow(/m\/generation_config\.json/);
  });

  it("hold with another template, and for a model without a tokenizer", async () => {
    const { tokenizer } = await withGeneration({ eos_token_id: 3 });
    const other = await withTemplateOf(tokenizer, { chat_template_path: "a.jinja" }, () => "");
    expect(other.stop_token_ids).toEqual(tokenizer.stop_token_ids);
    const alone = new Map([["generation_config.json", new TextEncoder().encode('{"eos_token_id": [3, 4]}')]]);
    expect(endTokens((await loadTokenizerIfThere(memoryFolder(alone, "m"))).tokenizer)).toEqual([3, 4]);
  });
});

describe("loadTokenizer", () => {
  it("refuses a folder without tokenizer.json, or with one that it does not read", async () => {
    await expect(load(tokenizerFiles(TOKENIZER_CONFIG, null))).rejects.toThrow(
      /m\/tokenizer\.json: no such file; only fast tokenizers/,
    );
    await expect(load(tokenizerFiles(TOKENIZER_CONFIG, {}))).rejects.toThrow(
      /m\/tokenizer\.json: model: missing/,
    );
    await expect(
      load(tokenizerFiles(TOKENIZER_CONFIG, { ...TOKENIZER_JSON, model: { type: "Quantum", vocab: {} } })),
    ).rejects.toThrow(/m\/tokenizer\.json: model\.type: .*"Quantum"/);
    await expect(
      load(tokenizerFiles(TOKENIZER_CONFIG, { ...TOKENIZER_JSON, decoder: { type: "Quantum" } })),
    ).rejects.toThrow(/m\/tokenizer\.json: decoder\.type: .*Quantum/);
  });

  it("reads words that are tokens, and refuses others where none stands for them", async () => {
    const words = {
      ...TOKENIZER_JSON,
      added_tokens: [],
      pre_tokenizer: { type: "Whitespace" },
      post_processor: null,
      decoder: null,
      model: { type: "WordLevel", vocab: { the: 0, end: 1, what: 2 }, unk_token: "what" },
    };
    const config = { eos_token: "end", pad_token: "end" };
    const { tokenizer } = await load(tokenizerFiles(config, words));
    expect([...tokenizer.encode("the cat end")]).toEqual([0, 2, 1]);
    words.model.unk_token = "none";
    const strict = (await load(tokenizerFiles(config, words))).tokenizer;
    expect(() => strict.encode("the cat")).toThrow('text: found "cat", for which the tokenizer has no token');
  });
});
