/** Limits a completion's thinking, and constrains the answer to a pattern. */
import type { Tokenizer } from "../tokenizers/Tokenizer.ts";
import { Automaton, DEAD } from "./pattern/Automaton.ts";

/** Fields of a spec that constrain a completion. */
export interface AnswerFields {
  readonly thinking_token_budget: number | null;
  readonly constrain_answer_pattern: string | null;
  readonly answer_continuation: boolean;
}

/** The text that models write after thinking. */
const END_OF_THOUGHT = "</think>";
/** Decoders output this for bytes that do not form a character. */
const TORN = "\ufffd";

/** Texts of a tokenizer's tokens when they follow other tokens. */
class TokenTexts {
  /** Text of each token; empty for special tokens and incomplete characters. */
  readonly answers: readonly string[];
  /** Text of each token, including special tokens. */
  readonly all: readonly string[];

  constructor(tokenizer: Tokenizer) {
    const ids = Array.from({ length: tokenizer.vocab_size }, (_, id) => id);
    const before = ids.find((id) => /^[A-Za-z0-9]$/.test(tokenizer.decode([id])));
    // Decoders strip spaces at the start of a text.
    const lead = before === undefined ? [] : [before];
    const textOf = (id: number, skip_special_tokens: boolean): string =>
      tokenizer.decode([...lead, id], { skip_special_tokens }).slice(tokenizer.decode(lead).length);
    this.all = ids.map((id) => textOf(id, false));
    this.answers = ids.map((id) => textOf(id, true)).map((text) => (text.includes(TORN) ? "" : text));
  }
}

const textsOf = new WeakMap<Tokenizer, TokenTexts>();

/** The ids of the end-of-thought mark; empty if the tokenizer cannot encode it. */
function endOfThought(tokenizer: Tokenizer): readonly number[] {
  try {
    return [...tokenizer.encode(END_OF_THOUGHT)];
  } catch {
    return [];
  }
}

export class AnswerRules {
  readonly fields: AnswerFields;
  readonly automaton: Automaton | null;
  readonly texts: TokenTexts;
  readonly end_of_thought: readonly number[];
  readonly stop_tokens: readonly number[];
  /** Masks of allowed tokens by the answer's state. */
  readonly #masks = new Map<number, Uint8Array>();

  private constructor(fields: AnswerFields, tokenizer: Tokenizer, stop_tokens: readonly number[]) {
    const { constrain_answer_pattern: pattern } = fields;
    this.fields = fields;
    this.automaton = pattern === null ? null : new Automaton(pattern);
    this.texts = textsOf.get(tokenizer) ?? new TokenTexts(tokenizer);
    textsOf.set(tokenizer, this.texts);
    this.end_of_thought = endOfThought(tokenizer);
    this.stop_tokens = stop_tokens;
  }

  /**
   * The rules of a spec's fields; `null` if the fields set none.
   * @throws RangeError for an unsupported pattern.
   */
  static of(fields: AnswerFields, tokenizer: Tokenizer, stop_tokens: readonly number[]): AnswerRules | null {
    const { thinking_token_budget, constrain_answer_pattern } = fields;
    if (thinking_token_budget === null && constrain_answer_pattern === null) return null;
    return new AnswerRules(fields, tokenizer, stop_tokens);
  }

  /** Mask of the tokens that may follow in an answer's state. */
  allowed(automaton: Automaton, state: number): Uint8Array {
    const known = this.#masks.get(state);
    if (known) return known;
    const mask = Uint8Array.from(this.texts.answers, (text) =>
      text !== "" && automaton.after(state, text) !== DEAD ? 1 : 0,
    );
    if (automaton.accepts(state)) for (const id of this.stop_tokens) mask[id] = 1;
    this.#masks.set(state, mask);
    return mask;
  }

  /** Mask that allows a single token. */
  only(id: number): Uint8Array {
    const mask = new Uint8Array(this.texts.all.length);
    mask[id] = 1;
    return mask;
  }

  /** Mask of all tokens except those that end a completion. */
  unended(): Uint8Array {
    const mask = new Uint8Array(this.texts.all.length).fill(1);
    for (const id of this.stop_tokens) mask[id] = 0;
    return mask;
  }

  begin(): AnswerGuide {
    return new AnswerGuide(this);
  }
}

/** Applies the rules to one completion. */
export class AnswerGuide {
  readonly #rules: AnswerRules;
  /** State of the thinking part; `null` after it. */
  #thought: { text: string; tokens: number; closing: number } | null;
  #state: number;

  constructor(rules: AnswerRules) {
    this.#rules = rules;
    this.#thought = rules.fields.thinking_token_budget === null ? null : { text: "", tokens: 0, closing: 0 };
    this.#state = rules.automaton?.start ?? DEAD;
    this.#closeThought();
  }

  /** Mask of the tokens that may come next, by id; `null` allows all. */
  get allowed(): Uint8Array | null {
    const { automaton, end_of_thought, fields } = this.#rules;
    if (this.#thought !== null) {
      const closing = end_of_thought[this.#thought.closing];
      if (this.#isSpent && closing !== undefined) return this.#rules.only(closing);
      return automaton === null ? null : this.#rules.unended();
    }
    if (automaton === null || this.#state === DEAD) return null;
    if (fields.answer_continuation && automaton.accepts(this.#state)) return null;
    return this.#rules.allowed(automaton, this.#state);
  }

  /** Records the sampled token. */
  take(id: number): void {
    const { automaton, texts, fields } = this.#rules;
    const thought = this.#thought;
    if (thought !== null) {
      if (this.#isSpent) thought.closing++;
      thought.tokens++;
      thought.text += texts.all[id] ?? "";
      this.#closeThought();
      return;
    }
    if (automaton === null || this.#state === DEAD) return;
    // A free continuation is not part of the answer.
    const isOver = fields.answer_continuation && automaton.accepts(this.#state);
    this.#state = isOver ? DEAD : automaton.after(this.#state, texts.answers[id] ?? "");
  }

  get #isSpent(): boolean {
    return (this.#thought?.tokens ?? 0) >= (this.#rules.fields.thinking_token_budget ?? 0);
  }

  /**
   * The answer starts after the mark. If the mark cannot be encoded, it starts when
   * the thinking budget is spent.
   */
  #closeThought(): void {
    const thought = this.#thought;
    if (thought === null) return;
    const unmarked = this.#isSpent && this.#rules.end_of_thought.length === 0;
    const written = this.#isSpent && thought.closing >= this.#rules.end_of_thought.length;
    if (unmarked || written || thought.text.includes(END_OF_THOUGHT)) this.#thought = null;
  }
}
