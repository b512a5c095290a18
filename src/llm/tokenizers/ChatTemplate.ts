import { Template } from "@huggingface/jinja";
import { reasonOf } from "../../storage/files.ts";
import type { ChatMessage, ChatTemplateOptions } from "./Tokenizer.ts";

/** A Jinja template that formats a conversation as one text. */
export class ChatTemplate {
  readonly #source: string;
  readonly #tokens: Readonly<Record<string, string>>;
  readonly #place: string;
  #parsed: Template | null = null;

  /**
   * @param tokens Special tokens by role, such as `eos_token`, which the template can use as variables.
   * @param place Names the template in errors.
   */
  constructor(source: string, tokens: ReadonlyMap<string, string>, place: string) {
    this.#source = source;
    this.#tokens = Object.fromEntries(tokens);
    this.#place = place;
  }

  /**
   * @throws Error with the template's place and the reason, if the template is broken
   *   or rejects the conversation.
   */
  render(
    messages: readonly ChatMessage[],
    { add_generation_prompt = false, kwargs = {} }: ChatTemplateOptions = {},
  ): string {
    try {
      this.#parsed ??= new Template(this.#source);
      // Variables that transformers always passes to a template.
      const always = { messages, add_generation_prompt, tools: null, documents: null };
      return this.#parsed.render({ ...this.#tokens, ...always, ...kwargs });
    } catch (error) {
      throw new Error(`${this.#place}: the chat template fails: ${reasonOf(error)}`, { cause: error });
    }
  }
}
