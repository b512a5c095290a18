/** One conversation with a model: its turns, and the answer that is being written. */
import { createStore, type StoreApi } from "zustand/vanilla";
import type {
  ChatAnswer,
  ChatNews,
  ChatSettings,
  ChatTurn,
  LanguageCalls,
  OpenedModel,
} from "../../workers/pages.ts";
import { messageOf } from "../lib/format.ts";

/** A model as the worker opens it. */
export interface ModelSource {
  /** Equal for equal weights. */
  readonly key: string;
  readonly manifest: unknown;
  /** A member's file; null for the base model of the manifest. */
  readonly member: Uint8Array | null;
}

/** A message as it is shown. */
export interface ShownTurn extends ChatTurn {
  /** How an answer ended; null for a message of the user. */
  readonly note: string | null;
}

export interface ConversationState {
  readonly turns: readonly ShownTurn[];
  /** The answer so far; null while none is written. */
  readonly writing: string | null;
  /** What an answer waits for; null if it does not wait. */
  readonly waiting: string | null;
  /** Why the last answer failed; null if it did not. */
  readonly problem: string | null;
  /** What is known of the model; null before it is open. */
  readonly opened: OpenedModel | null;
}

const EMPTY: ConversationState = { turns: [], writing: null, waiting: null, problem: null, opened: null };

const WAITS = {
  turn: "Queued: a run is training. The answer begins when the member that trains has ended its iteration, and training waits for the answer.",
  answer: "Queued: another answer is being written.",
} as const;

const ENDS: Readonly<Record<ChatAnswer["ended"], string>> = {
  end: "complete",
  limit: "at the limit of an answer",
  context: "at the limit of the context",
  stopped: "stopped",
};

let answers = 0;

/** The turns that a model reads next: the system prompt where a template writes it, then all turns. */
export function turnsToRead(
  turns: readonly ChatTurn[],
  system: string,
  { templated }: OpenedModel,
): readonly ChatTurn[] {
  const read = turns.map(({ role, content }) => ({ role, content }));
  return templated && system.trim() !== "" ? [{ role: "system", content: system }, ...read] : read;
}

export class Conversation {
  readonly state: StoreApi<ConversationState> = createStore(() => EMPTY);
  readonly #calls: LanguageCalls;
  /** The model that answers, from the first message on. */
  #model: ModelSource | null = null;
  /** Name of the answer that is being written; null for none. */
  #answer: string | null = null;
  /** Whether it is to stop, also before the model is open. */
  #stops = false;

  constructor(calls: LanguageCalls) {
    this.#calls = calls;
  }

  /**
   * Sends a message, and resolves when the answer is complete, stopped or failed.
   * @param source Reads the model with the first message.
   */
  async send(
    content: string,
    source: () => Promise<ModelSource>,
    settings: ChatSettings,
    system: string,
  ): Promise<void> {
    if (this.#answer !== null) return;
    const id = `answer ${++answers}`;
    this.#answer = id;
    this.#stops = false;
    const { turns } = this.state.getState();
    const asked: readonly ShownTurn[] = [...turns, { role: "user", content, note: null }];
    this.#set({ turns: asked, writing: "", waiting: "Opening the model…", problem: null });
    try {
      const opened = await this.#open(source);
      // The conversation may have been cleared meanwhile.
      if (this.#answer !== id) return;
      this.#set({ opened, waiting: null });
      if (this.#stops) return;
      const began = performance.now();
      const answer = await this.#calls.answer(
        { id, model: this.#model?.key ?? "", turns: turnsToRead(asked, system, opened), settings },
        (news) => this.#answer === id && this.#hear(news),
      );
      const note = noteOf(answer, performance.now() - began);
      if (this.#answer === id)
        this.#set({ turns: [...asked, { role: "assistant", content: answer.text, note }] });
    } catch (error) {
      if (this.#answer === id) this.#set({ turns, problem: messageOf(error) });
    } finally {
      if (this.#answer === id) {
        this.#answer = null;
        this.#set({ writing: null, waiting: null });
      }
    }
  }

  /** Stops the answer, which keeps what was written. */
  stop(): void {
    this.#stops = true;
    if (this.#answer !== null) void this.#calls.stopAnswer(this.#answer).catch(() => undefined);
  }

  /** Begins anew, with the model as it is then. */
  clear(): void {
    this.stop();
    this.#answer = null;
    this.#model = null;
    this.state.setState(EMPTY, true);
  }

  async #open(source: () => Promise<ModelSource>): Promise<OpenedModel> {
    this.#model ??= await source();
    const { key, manifest, member } = this.#model;
    const { opened } = this.state.getState();
    if (opened !== null && (await this.#calls.holds(key))) return opened;
    return this.#calls.openModel(key, manifest, member);
  }

  #hear(news: ChatNews): void {
    if (news.kind === "queued") this.#set({ waiting: WAITS[news.behind] });
    else this.#set({ writing: news.text, waiting: null });
  }

  #set(change: Partial<ConversationState>): void {
    this.state.setState(change);
  }
}

/** How an answer ended. */
function noteOf({ tokens, ended }: ChatAnswer, milliseconds: number): string {
  const count = `${tokens} ${tokens === 1 ? "token" : "tokens"}`;
  return `${count} in ${(milliseconds / 1000).toFixed(1)} s, ${ENDS[ended]}`;
}
