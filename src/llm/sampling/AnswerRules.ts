/** Completions with a thought of limited length and an answer of a given form. */
import type { Tokenizer } from "../tokenizers/Tokenizer.ts";
import { Automaton, DEAD } from "./pattern/Automaton.ts";

/** The fields of a spec that shape a completion. */
export interface AnswerFields {
  readonly thinking_token_budget: number | null;
  readonly constrain_answer_pattern: string | null;
  readonly answer_continuation: boolean;
}

/** What models write behind a thought. */
const END_OF_THOUGHT = "</think>";
/** What decoding gives for bytes that are no whole character. */
const TORN = "\ufffd";

/** Texts of a tokenizer's tokens as they stand behind others. */
class TokenTexts {
  /** Without special tokens, and without such as are no whole characters: those are empty. */
  readonly answers: readonly string[];
  /** Special tokens too. */
  readonly all: readonly string[];

  constructor(tokenizer: Tokenizer) {
    const ids = Array.from({ length: tokenizer.vocab_size }, (_, id) => id);
    const before = ids.find((id) => /^[A-Za-z0-9]$/.test(tokenizer.decode([id])));
    // Decoders take away spaces at the beginning of a text.
    const lead = before === undefined ? [] : [before];
    const textOf = (id: number, skip_special_tokens: boolean): string =>
      tokenizer.decode([...lead, id], { skip_special_tokens }).slice(tokenizer.decode(lead).length);
    this.all = ids.map((id) => textOf(id, false));
    this.answers = ids.map((id) => textOf(id, true)).map((text) => (text.includes(TORN) ? "" : text));
  }
}

const textsOf = new WeakMap<Tokenizer, TokenTexts>();

/** The ids that end a thought; none where the tokenizer cannot write them. */
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
  /** Allowed tokens by the answer's state. */
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
   * The rules of a spec's fields; null where it has none.
   * @throws RangeError for a pattern that is not supported.
   */
  static of(fields: AnswerFields, tokenizer: Tokenizer, stop_tokens: readonly number[]): AnswerRules | null {
    const { thinking_token_budget, constrain_answer_pattern } = fields;
    if (thinking_token_budget === null && constrain_answer_pattern === null) return null;
    return new AnswerRules(fields, tokenizer, stop_tokens);
  }

  /** The tokens that may follow an answer's state; all for null. */
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

  /** The mask of one token. */
  only(id: number): Uint8Array {
    const mask = new Uint8Array(this.texts.all.length);
    mask[id] = 1;
    return mask;
  }

  /** All tokens but those that end a completion. */
  unended(): Uint8Array {
    const mask = new Uint8Array(this.texts.all.length).fill(1);
    for (const id of this.stop_tokens) mask[id] = 0;
    return mask;
  }

  begin(): AnswerGuide {
    return new AnswerGuide(this);
  }
}

/** Follows one completion. */
export class AnswerGuide {
  readonly #rules: AnswerRules;
  /** What was thought; null behind the thought. */
  #thought: { text: string; tokens: number; closing: number } | null;
  #state: number;

  constructor(rules: AnswerRules) {
    this.#rules = rules;
    this.#thought = rules.fields.thinking_token_budget === null ? null : { text: "", tokens: 0, closing: 0 };
    this.#state = rules.automaton?.start ?? DEAD;
    this.#closeThought();
  }

  /** The tokens that may come next: 1 by id; null for all. */
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

  /** Takes note of the token that was drawn. */
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
    // What goes on freely is no part of the answer.
    const isOver = fields.answer_continuation && automaton.accepts(this.#state);
    this.#state = isOver ? DEAD : automaton.after(this.#state, texts.answers[id] ?? "");
  }

  get #isSpent(): boolean {
    return (this.#thought?.tokens ?? 0) >= (this.#rules.fields.thinking_token_budget ?? 0);
  }

  /** The answer begins behind the mark, or where it cannot be written, behind the tokens that there are for thinking. */
  #closeThought(): void {
    const thought = this.#thought;
    if (thought === null) return;
    const unmarked = this.#isSpent && this.#rules.end_of_thought.length === 0;
    const written = this.#isSpent && thought.closing >= this.#rules.end_of_thought.length;
    if (unmarked || written || thought.text.includes(END_OF_THOUGHT)) this.#thought = null;
  }
}
