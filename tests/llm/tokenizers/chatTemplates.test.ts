import { describe, expect, it } from "vitest";
import type { ChatMessage, Tokenizer } from "../../../src/llm/index.ts";
import { loadTokenizer, memoryFolder } from "../../../src/llm/models.ts";
import { CHATML, INST, TAGGED } from "../support/chatTemplates.ts";
import { TOKENIZER_CONFIG, tokenizerFiles } from "../support/tokenizerJson.ts";

const SYSTEM: ChatMessage = { role: "system", content: "be brief" };
const FIRST: ChatMessage = { role: "user", content: "hello " };
const ANSWER: ChatMessage = { role: "assistant", content: "the" };
const SECOND: ChatMessage = { role: "user", content: "and?" };

/** A tokenizer whose template lies in its config, in a file of its own, or in both. */
async function tokenizerWith(inConfig: unknown, inFile?: string): Promise<Tokenizer> {
  const files = tokenizerFiles({ ...TOKENIZER_CONFIG, chat_template: inConfig });
  if (inFile !== undefined) files.set("chat_template.jinja", new TextEncoder().encode(inFile));
  return (await loadTokenizer(memoryFolder(files, "m"))).tokenizer;
}

describe("applyChatTemplate", () => {
  it("writes ChatML", async () => {
    const tokenizer = await tokenizerWith(CHATML);
    const text = "<|im_start|>system\nbe brief<|im_end|>\n<|im_start|>user\nhello<|im_end|>\n";
    expect(tokenizer.applyChatTemplate([SYSTEM, FIRST])).toBe(text);
    expect(tokenizer.applyChatTemplate([SYSTEM, FIRST], { add_generation_prompt: true })).toBe(
      `${text}<|im_start|>assistant\n`,
    );
  });

  it("writes instructions in brackets, with tokens of the tokenizer", async () => {
    const tokenizer = await tokenizerWith(undefined, INST);
    expect(tokenizer.applyChatTemplate([SYSTEM, FIRST, ANSWER, SECOND])).toBe(
      "<|endoftext|>[INST] <<SYS>>\nbe brief\n<</SYS>>\n\nhello  [/INST] the <|im_end|><|endoftext|>[INST] and? [/INST]",
    );
  });

  it("writes tags, with variables of the caller's own", async () => {
    const tokenizer = await tokenizerWith(TAGGED);
    expect(
      tokenizer.applyChatTemplate([SECOND, ANSWER], { kwargs: { brief: true }, add_generation_prompt: true }),
    ).toBe("brief\n<U>and?</U>\n<A>the</A><|im_end|>\n<A>");
    expect(tokenizer.applyChatTemplate([SECOND])).toBe("<U>and?</U>\n");
  });

  it("takes the file's template before the config's, and of several the default", async () => {
    expect((await tokenizerWith("config", "file")).applyChatTemplate([])).toBe("file");
    const several = [
      { name: "tool_use", template: "tools" },
      { name: "default", template: "default" },
    ];
    expect((await tokenizerWith(several)).applyChatTemplate([])).toBe("default");
    expect((await tokenizerWith(several.slice(0, 1))).has_chat_template).toBe(false);
  });

  it("says that there is none", async () => {
    const tokenizer = await tokenizerWith(null);
    expect(tokenizer.has_chat_template).toBe(false);
    expect(() => tokenizer.applyChatTemplate([FIRST])).toThrow(
      /m\/tokenizer_config\.json: chat_template: missing; set apply_chat_template to false/,
    );
  });

  it("says why a template fails, and which", async () => {
    const strict = await tokenizerWith(undefined, INST);
    expect(strict.has_chat_template).toBe(true);
    expect(() => strict.applyChatTemplate([ANSWER])).toThrow(
      "m/chat_template.jinja: the chat template fails: roles must alternate user/assistant",
    );
    const broken = await tokenizerWith("{% for message in messages %}");
    expect(() => broken.applyChatTemplate([FIRST])).toThrow(
      /m\/tokenizer_config\.json: chat_template: the chat template fails: ./,
    );
  });
});
