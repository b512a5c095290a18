import { Template } from "@huggingface/jinja";
import { reasonOf } from "../../storage/files.ts";
import type { ChatMessage, ChatTemplateOptions } from "./Tokenizer.ts";

/** Stands before and behind the assistant's parts while they are looked for. */
const MARK = "\u2063rlkit-assistant\u2063";

const START = /\{%(-?)\s*generation\s*(-?)%\}/g;
const END = /\{%(-?)\s*endgeneration\s*(-?)%\}/g;

/**
 * Writes marks around the parts within `{% generation %}`, or `null` if there are none. The tags are replaced by others
 * that remove the same white space around them.
 */
function markedSource(source: string): string | null {
  const marked = source
    .replace(START, "{%$1 set rlkit_part $2%}")
    .replace(
      END,
      `{%$1 endset %}{{ ${JSON.stringify(MARK)} ~ rlkit_part ~ ${JSON.stringify(MARK)} }}{% if true %}{% endif $2%}`,
    );
  return marked === source ? null : marked;
}

/** A Jinja template that formats a conversation as one text. */
export class ChatTemplate {
  readonly #source: string;
  readonly #tokens: Readonly<Record<string, string>>;
  readonly #place: string;
  #parsed: Template | null = null;
  /** The template with marks; `null` if it has no `{% generation %}`. */
  #marked: Template | null | undefined;

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
  render(messages: readonly ChatMessage[], options: ChatTemplateOptions = {}): string {
    return this.#failing(() => {
      this.#parsed ??= new Template(this.#source);
      return this.#render(this.#parsed, messages, options);
    });
  }

  /** See `Tokenizer.assistantSpans`. @throws Error as {@link render}. */
  assistantSpans(
    messages: readonly ChatMessage[],
    options: ChatTemplateOptions = {},
  ): readonly (readonly [number, number])[] | null {
    const marked = this.#failing(() => {
      const source = this.#marked === undefined ? markedSource(this.#source) : null;
      this.#marked ??= source === null ? null : new Template(source);
      return this.#marked === null ? null : this.#render(this.#marked, messages, options);
    });
    if (marked === null) return null;
    let at = 0;
    // Every second piece lies between two marks.
    const spans = marked.split(MARK).flatMap((piece, i) => {
      const start = at;
      at += piece.length;
      return i % 2 === 1 && piece !== "" ? [[start, at] as const] : [];
    });
    if (marked.replaceAll(MARK, "") === this.render(messages, options)) return spans;
    throw new Error(`${this.#place}: the chat template writes another text within {% generation %}`);
  }

  #render(
    template: Template,
    messages: readonly ChatMessage[],
    { add_generation_prompt = false, kwargs = {} }: ChatTemplateOptions,
  ): string {
    // Variables that transformers always passes to a template.
    const always = { messages, add_generation_prompt, tools: null, documents: null };
    return template.render({ ...this.#tokens, ...always, ...kwargs });
  }

  #failing<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      throw new Error(`${this.#place}: the chat template fails: ${reasonOf(error)}`, { cause: error });
    }
  }
}
