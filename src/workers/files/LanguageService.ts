/** Answers pages' calls about language models: cards, rows, conversations. */
import { histogram } from "../../datasets/view.ts";
import type { DataViewer } from "../../llm/environments.ts";
import type { ChatAgent } from "../../llm/members.ts";
import { parseManifest, type TrainingManifest } from "../../manifests/index.ts";
import { type FileStore, isStorageError } from "../../storage/index.ts";
import { yieldToEvents } from "../../training/loop.ts";
import { betweenTurns, modelCard, openChat, openData } from "../../training/workloads.ts";
import type {
  ChatAnswer,
  ChatNews,
  ChatRequest,
  ChatTurn,
  DataRequest,
  LanguageCalls,
  ModelCard,
  OpenedModel,
  RowsView,
} from "../protocol/language.ts";

/** Models that stay open: the two that answer side by side. */
const MOST_OPEN = 2;

export class LanguageService implements LanguageCalls {
  readonly #store: FileStore;
  /** The open models, those used last at the end. */
  readonly #open = new Map<string, ChatAgent>();
  readonly #answers = new Map<string, AbortController>();
  /** The rows that were shown last, by their manifest. */
  #rows: { readonly manifest: string; readonly viewer: Promise<DataViewer | null> } | null = null;
  /** Calls that load or use models run one after another. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: FileStore) {
    this.#store = store;
  }

  async modelCard(manifest: unknown): Promise<ModelCard> {
    return modelCard(parsed(manifest), this.#store);
  }

  async rows(manifest: unknown, request: DataRequest): Promise<RowsView | null> {
    const text = JSON.stringify(manifest);
    if (this.#rows?.manifest !== text) this.#rows = { manifest: text, viewer: this.#viewer(manifest) };
    const { viewer } = this.#rows;
    const opened = await viewer.catch((error: unknown) => {
      // It may succeed the next time, after a file was added.
      this.#rows = null;
      throw error;
    });
    if (opened === null) return null;
    const view = opened.view(request);
    return { ...view, lengths: histogram(view.lengths) };
  }

  async holds(key: string): Promise<boolean> {
    return this.#open.has(key);
  }

  openModel(key: string, manifest: unknown, member: Uint8Array | null): Promise<OpenedModel> {
    return this.#serially(async () => {
      const known = this.#open.get(key);
      for (const [oldest, agent] of this.#open) {
        if (known || this.#open.size < MOST_OPEN) break;
        agent.close();
        this.#open.delete(oldest);
      }
      const agent = known ?? (await openChat(parsed(manifest), member, this.#store));
      this.#open.delete(key);
      this.#open.set(key, agent);
      return { templated: agent.templated, context: agent.context };
    });
  }

  async answer(request: ChatRequest, onNews: (news: ChatNews) => void): Promise<ChatAnswer> {
    const ending = new AbortController();
    const { signal } = ending;
    this.#answers.set(request.id, ending);
    const queued = (behind: "turn" | "answer"): void => onNews({ kind: "queued", behind });
    if (this.#answers.size > 1) queued("answer");
    try {
      return await this.#serially(() => {
        if (signal.aborted) return Promise.resolve(STOPPED);
        const onQueued = (): void => queued("turn");
        return betweenTurns(() => this.#write(request, signal, onNews), { onQueued, signal });
      });
    } catch (error) {
      if (signal.aborted) return STOPPED;
      throw error;
    } finally {
      this.#answers.delete(request.id);
    }
  }

  async stopAnswer(id: string): Promise<void> {
    this.#answers.get(id)?.abort();
  }

  async #write(
    { model, turns, settings }: ChatRequest,
    signal: AbortSignal,
    onNews: (news: ChatNews) => void,
  ): Promise<ChatAnswer> {
    const agent = this.#open.get(model);
    if (!agent) throw new Error("This model is not open; choose it again.");
    return agent.answer(readTurns(turns, agent.templated), settings, async (text, tokens) => {
      onNews({ kind: "text", text, tokens });
      // Lets a request to stop arrive.
      await yieldToEvents();
      return !signal.aborted;
    });
  }

  async #viewer(manifest: unknown): Promise<DataViewer | null> {
    try {
      return await openData(parsed(manifest), this.#store);
    } catch (error) {
      if (!isStorageError(error, "not_found")) throw error;
      throw new Error(`${error.message}; this browser has no such file`, { cause: error });
    }
  }

  #serially<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** An answer that was stopped before it began. */
const STOPPED: ChatAnswer = { text: "", tokens: 0, prompt_tokens: 0, ended: "stopped" };

const parsed = (manifest: unknown): TrainingManifest =>
  // A text or an object; anything else is refused with a list of what is wrong.
  parseManifest(manifest as string | Readonly<Record<string, unknown>>);

/** The turns that a model reads: all of them, or without a template only the last. */
const readTurns = (turns: readonly ChatTurn[], templated: boolean): readonly ChatTurn[] =>
  templated ? turns : turns.slice(-1);
