/** Tokenizers against vectors of Python's `tokenizers` 0.23 (scripts/llm/record_tokenizers.py, record_real_tokenizers.py). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../../../src/llm/index.ts";
import { jsonBytes, loadTokenizer, memoryFolder } from "../../../../src/llm/models.ts";
import { idOf, TOKENIZER_CONFIG, TOKENIZER_JSON, tokenizerFiles } from "../../support/tokenizerJson.ts";

type Row = [text: string, ids: number[] | null, drawn: number[] | 0, skip: boolean, decoded: string | null];
const recorded = JSON.parse(readFileSync("tests/llm/fixtures/tokenizers.json", "utf8")) as {
  file: object;
  rows: Row[];
}[];

const load = async (file: object, config: object = { eos_token: "</s>", pad_token: "</s>" }) => {
  const files = { "tokenizer.json": file, "tokenizer_config.json": config };
  const bytes = Object.entries(files).map(([name, content]) => [name, jsonBytes(content)] as const);
  return (await loadTokenizer(memoryFolder(new Map(bytes), "m"))).tokenizer;
};

const orNull = <T>(run: () => T): T | null => {
  try {
    return run();
  } catch {
    return null;
  }
};

describe("random files of every part", () => {
  it("give the ids and texts of Python, and fail where it fails", async () => {
    expect(recorded.length).toBeGreaterThan(100);
    for (const { file, rows } of recorded) {
      const tokenizer = await load(file);
      for (const [text, ids, drawn, skip_special_tokens, decoded] of rows) {
        const found = orNull(() => Array.from(tokenizer.encode(text)));
        const back = tokenizer.decode(drawn === 0 ? (ids ?? []) : drawn, { skip_special_tokens });
        expect({ file, text, ids: found, back }).toEqual({ file, text, ids, back: decoded });
      }
    }
  });
});

interface RealTokenizer {
  readonly name: string;
  readonly file: object;
  readonly config: object;
  readonly texts: readonly {
    readonly text: string;
    readonly ids: number[];
    readonly special: number[];
    readonly decoded: string;
    readonly shown: string;
  }[];
  readonly chats: readonly {
    readonly messages: readonly ChatMessage[];
    readonly generation: boolean;
    readonly text: string;
    readonly ids: number[];
  }[];
}

/** Of scripts/llm/record_real_tokenizers.py. */
const real = JSON.parse(readFileSync("tests/llm/fixtures/realTokenizers.json", "utf8")) as RealTokenizer[];

describe.each(real.map((one) => [one.name, one] as const))("the tokenizer of %s", (_, recording) => {
  const { file, config, texts, chats } = recording;

  it("has Python's ids and texts", async () => {
    const tokenizer = await load(file, config);
    const found = texts.map(({ text, ids }) => ({
      text,
      ids: Array.from(tokenizer.encode(text)),
      special: Array.from(tokenizer.encode(text, { add_special_tokens: true })),
      decoded: tokenizer.decode(ids),
      shown: tokenizer.decode(ids, { skip_special_tokens: false }),
    }));
    expect(found).toEqual(texts);
  });

  it("writes conversations as its chat template does in Python", async () => {
    const tokenizer = await load(file, config);
    const found = chats.map(({ messages, generation }) => {
      const text = tokenizer.applyChatTemplate(messages, { add_generation_prompt: generation });
      return { messages, generation, text, ids: Array.from(tokenizer.encode(text)) };
    });
    expect(found).toEqual(chats);
  });
});

describe("a field that is not supported", () => {
  const { model } = TOKENIZER_JSON;
  const split = (pattern: object) => ({ type: "Split", pattern, behavior: "Isolated", invert: false });
  it.each([
    [{ normalizer: { type: "Quantum" } }, /normalizer\.type: .*Quantum/],
    [{ pre_tokenizer: { type: "UnicodeScripts" } }, /pre_tokenizer\.type: .*UnicodeScripts/],
    [{ pre_tokenizer: split({ Regex: "\\Gab" }) }, /pre_tokenizer\.pattern\.Regex: found "\\\\G"/],
    [{ pre_tokenizer: split({ Regex: "(?m:.)" }) }, /pre_tokenizer\.pattern\.Regex: found "\(\?m:\."/],
    [{ pre_tokenizer: split({ String: "" }) }, /pre_tokenizer\.pattern: found String ""/],
    [
      { decoder: { type: "Sequence", decoders: [{ type: "Fuse", by: 1 }] } },
      /decoder\.decoders\[0\]\.by: unknown/,
    ],
    [{ model: { ...model, dropout: 0.1 } }, /model\.dropout: draws ids at random/],
    [
      { model: { ...model, merges: ["zz z"] } },
      /model\.merges\[0\]: found "zz", which is not in the vocabulary/,
    ],
    [{ model: { ...model, vocab: { a: -1 } } }, /model\.vocab\.a: found -1/],
    [{ added_tokens: [{ id: 0, content: "a", one: true }] }, /added_tokens\[0\]\.one: unknown key/],
    [
      {
        normalizer: { type: "Strip", strip_left: true, strip_right: true },
        added_tokens: [{ id: 300, content: " " }],
      },
      /added_tokens\[0\]\.content: is "" after the normalizer/,
    ],
    [{ layers: 2 }, /layers: unknown key/],
    [{ version: "2.0" }, /version: expected "1\.0"/],
  ])("%j is refused by its place", async (part, message) => {
    await expect(load({ ...TOKENIZER_JSON, ...part }, TOKENIZER_CONFIG)).rejects.toThrow(message);
  });

  it("truncation and padding are not applied, and that is said", async () => {
    const truncation = { direction: "Right", max_length: 2, strategy: "LongestFirst", stride: 0 };
    const files = tokenizerFiles(TOKENIZER_CONFIG, { ...TOKENIZER_JSON, truncation });
    const { tokenizer, warnings } = await loadTokenizer(memoryFolder(files, "m"));
    expect(tokenizer.encode("the the the")).toHaveLength(3);
    expect(warnings).toEqual([expect.stringContaining("m/tokenizer.json: truncation: is not applied")]);
  });
});

describe("the config", () => {
  it("says anew what an added token is, as in transformers", async () => {
    const content = "<|im_start|>";
    const token = {
      content,
      lstrip: true,
      rstrip: false,
      single_word: false,
      normalized: false,
      special: true,
    };
    const config = { ...TOKENIZER_CONFIG, added_tokens_decoder: { [idOf(content)]: token } };
    const tokenizer = await load(TOKENIZER_JSON, config);
    expect([...tokenizer.encode(`the  ${content}the`)]).toEqual([idOf("the"), idOf(content), idOf("the")]);
  });

  it("names further special tokens", async () => {
    const tokenizer = await load(TOKENIZER_JSON, { ...TOKENIZER_CONFIG, extra_special_tokens: ["hello"] });
    expect(tokenizer.decode([idOf("the"), idOf("hello")])).toBe("the");
  });
});
