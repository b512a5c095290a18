import type { ChatMessage, Tokenizer } from "../../../src/llm/index.ts";

export type TestTemplate = (messages: readonly ChatMessage[], add_generation_prompt: boolean) => string;

export interface TestTokenizerOptions {
  /** Tokens of more than one character; the longest that fits is taken first. */
  readonly merges?: readonly string[];
  readonly specials?: readonly string[];
  readonly eos?: string;
  readonly template?: TestTemplate;
}

const CHARACTERS = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).concat("\n");

/** Characters, merged tokens and special tokens; the text is read from the left, the longest token first. */
export function testTokenizer({
  merges = [],
  specials = [],
  eos = "<eos>",
  template,
}: TestTokenizerOptions = {}): Tokenizer {
  const special = new Set(["<pad>", eos, ...specials]);
  const tokens = [...special, ...merges, ...CHARACTERS];
  const byLength = tokens.toSorted((a, b) => b.length - a.length);
  const tokenizer: Tokenizer = {
    vocab_size: tokens.length,
    pad_token_id: 0,
    eos_token_id: tokens.indexOf(eos),
    has_chat_template: template !== undefined,
    encode(text) {
      const ids: number[] = [];
      for (let at = 0; at < text.length; ) {
        const token = byLength.find((candidate) => text.startsWith(candidate, at));
        if (token === undefined) throw new Error(`no token for ${JSON.stringify(text.charAt(at))}`);
        ids.push(tokens.indexOf(token));
        at += token.length;
      }
      return Int32Array.from(ids);
    },
    decode(ids, { skip_special_tokens = true } = {}) {
      const found = Array.from(ids, (id) => tokens[id] ?? "?");
      return found.filter((token) => !(skip_special_tokens && special.has(token))).join("");
    },
    applyChatTemplate(messages, { add_generation_prompt = false } = {}) {
      if (template === undefined) throw new Error("no chat template");
      return template(messages, add_generation_prompt);
    },
  };
  return tokenizer;
}

/** As Qwen2 has it, without its default system message. */
export const chatml: TestTemplate = (messages, generation) =>
  messages.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`).join("") +
  (generation ? "<|im_start|>assistant\n" : "");

/** As Llama 3 has it: contents are trimmed. */
export const llama3: TestTemplate = (messages, generation) =>
  "<|bos|>" +
  messages.map(({ role, content }) => `<|start|>${role}<|end|>\n\n${content?.trim()}<|eot|>`).join("") +
  (generation ? "<|start|>assistant<|end|>\n\n" : "");

/** Without special tokens: the words of the template stand directly behind the model's. */
export const bare: TestTemplate = (messages, generation) =>
  messages
    .map(({ role, content }) => (role === "assistant" ? `${content}he next: ` : `${content}=`))
    .join("") + (generation ? "t" : "");

export const chatmlTokenizer = (): Tokenizer =>
  testTokenizer({ specials: ["<|im_start|>"], eos: "<|im_end|>", template: chatml });

export const llama3Tokenizer = (): Tokenizer =>
  testTokenizer({ specials: ["<|bos|>", "<|start|>", "<|end|>"], eos: "<|eot|>", template: llama3 });

/** Its tokens join what stands before and behind a boundary of turns. */
export const mergingTokenizer = (): Tokenizer =>
  testTokenizer({ merges: ["the", "he", "=t", "a=", "nex", "ab", " :"], template: bare });
