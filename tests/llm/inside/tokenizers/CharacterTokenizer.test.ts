import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadTokenizer, memoryFolder } from "../../../../src/llm/models.ts";
import { CharacterTokenizer } from "../../../../src/llm/tokenizers/CharacterTokenizer.ts";

const tokenizer = new CharacterTokenizer("abc \n😀");

describe("CharacterTokenizer", () => {
  it("has one token for one character, and two behind them", () => {
    expect(tokenizer.vocab_size).toBe(8);
    expect([tokenizer.pad_token_id, tokenizer.eos_token_id]).toEqual([6, 7]);
    expect(tokenizer.encode("ab\n 😀c")).toEqual(Int32Array.of(0, 1, 4, 3, 5, 2));
    expect(tokenizer.encode("")).toEqual(new Int32Array(0));
  });

  it("reads special tokens in a text, and leaves them out of one unless told otherwise", () => {
    const ids = tokenizer.encode("a<eos><pad>b");
    expect(ids).toEqual(Int32Array.of(0, 7, 6, 1));
    expect(tokenizer.decode(ids)).toBe("ab");
    expect(tokenizer.decode(ids, { skip_special_tokens: false })).toBe("a<eos><pad>b");
  });

  it("gives back every text that it reads, as does the tokenizer of its files", async () => {
    const { tokenizer: read, warnings } = await loadTokenizer(memoryFolder(tokenizer.files()));
    expect(warnings).toEqual([]);
    expect([read.vocab_size, read.pad_token_id, read.eos_token_id]).toEqual([8, 6, 7]);
    expect(() => read.encode("ab?")).toThrow("?");
    const token = fc.constantFrom("a", "b", "c", " ", "\n", "😀", "<pad>", "<eos>");
    fc.assert(
      fc.property(fc.array(token), (tokens) => {
        const ids = tokenizer.encode(tokens.join(""));
        expect(ids.length).toBe(tokens.length);
        expect(tokenizer.decode(ids, { skip_special_tokens: false })).toBe(tokens.join(""));
        expect(read.encode(tokens.join(""))).toEqual(ids);
        expect(read.decode(ids)).toBe(tokenizer.decode(ids));
      }),
    );
  });

  it("refuses a character without a token, with its position", () => {
    expect(() => tokenizer.encode("ab?")).toThrow(
      new RangeError('text: found "?" at position 2, allowed characters "abc \\n😀"'),
    );
    expect(() => tokenizer.encode("a<eos")).toThrow(/found "<" at position 1/);
  });

  it("gives no text for ids that are no tokens", () => {
    expect(tokenizer.decode([0, 8, -1, 1], { skip_special_tokens: false })).toBe("ab");
  });

  it("has no chat template", () => {
    expect(tokenizer.has_chat_template).toBe(false);
    expect(() => tokenizer.applyChatTemplate()).toThrow(/no chat template; set apply_chat_template to false/);
  });
});
