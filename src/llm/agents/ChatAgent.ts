/** Answers of a language-model agent in a conversation, token by token. */
import { drawOf, generate } from "../engine/generate.ts";
import { SamplingSettings } from "../sampling/SamplingSettings.ts";
import { StopStrings } from "../sampling/StopStrings.ts";
import { endTokens } from "../tokenizers/AbsentTokenizer.ts";
import { type MessageForm, openingIds, usesTemplate } from "../tokenizers/chatText.ts";
import type { ChatMessage } from "../tokenizers/Tokenizer.ts";
import type { AgentOnDevice } from "./AgentOnDevice.ts";
import { cacheCapacity } from "./cacheCapacity.ts";
import type { PolicyState } from "./PolicyState.ts";

/** How an answer is sampled. */
export interface ChatSettings {
  /** 0 always picks the most likely token. */
  readonly temperature: number;
  /** 0 for all tokens. */
  readonly top_k: number;
  readonly top_p: number;
  readonly min_p: number;
  readonly repetition_penalty: number;
  readonly max_output_tokens: number;
  /** The same settings and messages give the same answer. */
  readonly seed: number;
}

export interface ChatAnswer {
  readonly text: string;
  /** Tokens of the answer, and of the conversation before it. */
  readonly tokens: number;
  readonly prompt_tokens: number;
  /** Why it ended: with an end token or a stop string, at the limit of the answer or of the context, or because it was stopped. */
  readonly ended: "end" | "limit" | "context" | "stopped";
}

/** Smallest capacity of a cache. */
const LEAST_CAPACITY = 256;

export class ChatAgent {
  readonly #agent: AgentOnDevice;
  readonly #form: MessageForm;

  /** @param policy The actor that answers. */
  constructor(agent: AgentOnDevice, policy: PolicyState, form: MessageForm) {
    this.#agent = agent;
    this.#form = form;
    agent.write(policy);
  }

  /** Longest conversation in tokens, with its answer. */
  get context(): number {
    return this.#agent.max_model_len;
  }

  /** Whether a chat template writes the conversation. Without one, the contents of messages are read as raw text. */
  get templated(): boolean {
    return usesTemplate(this.#form);
  }

  /**
   * @param heard Called with the text so far after each token; resolves to whether to go on.
   * @throws RangeError if the conversation leaves no room for an answer; Error if the template refuses it.
   */
  async answer(
    messages: readonly ChatMessage[],
    { max_output_tokens, seed, ...rules }: ChatSettings,
    heard: (text: string, tokens: number) => Promise<boolean>,
  ): Promise<ChatAnswer> {
    const { tokenizer } = this.#form;
    const prompt = openingIds(this.#form, messages);
    const room = this.context - prompt.length;
    if (room < 1)
      throw new RangeError(
        `the conversation has ${prompt.length} tokens and leaves no room for an answer, allowed ${this.context - 1}; begin a new one`,
      );
    const most = Math.min(room, max_output_tokens);
    const stop_tokens = endTokens(tokenizer);
    const stops = StopStrings.of(this.#agent.plan.spec.stop_strings, tokenizer);
    const ids: number[] = [];
    let stopped = false;
    await generate(
      await this.#agent.core.decoding(1, cacheCapacity(prompt.length + most, this.context, LEAST_CAPACITY)),
      [prompt],
      {
        settings: SamplingSettings.parse({ ...rules, stop_tokens }),
        stops,
        most: [most],
        draw: drawOf(seed, 0, 0),
        heard: async (_row, id) => {
          ids.push(id);
          stopped = !(await heard(tokenizer.decode(ids), ids.length));
          return !stopped;
        },
      },
    );
    const ended = stop_tokens.includes(ids.at(-1) ?? -1) || stops?.completedBy(ids, 0);
    return {
      text: tokenizer.decode(ids),
      tokens: ids.length,
      prompt_tokens: prompt.length,
      ended: ended ? "end" : stopped ? "stopped" : most === max_output_tokens ? "limit" : "context",
    };
  }

  close(): void {
    this.#agent.close();
  }
}
