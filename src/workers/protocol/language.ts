/** Language models on pages: cards of models, rows of data sets, conversations. All data is plain. */
import type { Histogram } from "../../datasets/view.ts";
import type { DataRequest, DataView } from "../../llm/environments.ts";
import type { ChatAnswer, ChatSettings } from "../../llm/members.ts";
import type { ModelCard } from "../../training/workloads.ts";
import { type ClientCalls, call } from "./callTable.ts";

export type { ChatAnswer, ChatSettings, DataRequest, ModelCard };

/** Rows of a data set, with a histogram of their lengths; null without any. */
export interface RowsView extends Omit<DataView, "lengths"> {
  readonly lengths: Histogram | null;
}

/** A message of a conversation. */
export interface ChatTurn {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** What can be said of a model that is open for a conversation. */
export interface OpenedModel {
  /** Whether a chat template writes the conversation; without one, only the user's last message is read, as raw text. */
  readonly templated: boolean;
  /** Longest conversation in tokens. */
  readonly context: number;
}

export interface ChatRequest {
  /** Names the answer, so that it can be stopped. */
  readonly id: string;
  /** Key of the model, from `openModel`. */
  readonly model: string;
  readonly turns: readonly ChatTurn[];
  readonly settings: ChatSettings;
}

/** What happens until an answer is complete. */
export type ChatNews =
  /** It waits for the turn of a run, or for another answer of this page. */
  | { readonly kind: "queued"; readonly behind: "turn" | "answer" }
  /** The text so far. */
  | { readonly kind: "text"; readonly text: string; readonly tokens: number };

/** Calls about language models. A manifest is a text or an object. */
export const LANGUAGE_CALLS = {
  /** Reads the headers of the base model's files and the data. Rejects for a manifest that is not valid. */
  modelCard: call<(manifest: unknown) => Promise<ModelCard>>(),
  /** Rows of the manifest's data set as the model reads them; null if its environment has none. */
  rows: call<(manifest: unknown, request: DataRequest) => Promise<RowsView | null>>(),
  /** Whether a model is open; of several, those that were used last are. */
  holds: call<(key: string) => Promise<boolean>>(),
  /**
   * Opens a model for conversations under a key: a member's file with the manifest of its run, or without a file the
   * manifest's base model.
   */
  openModel: call<(key: string, manifest: unknown, member: Uint8Array | null) => Promise<OpenedModel>>(),
  /** Answers a conversation, between two turns of runs. Rejects if the model is not open. */
  answer: call<(request: ChatRequest, onNews: (news: ChatNews) => void) => Promise<ChatAnswer>>(),
  /** Stops an answer, which then resolves with what was written. */
  stopAnswer: call<(id: string) => Promise<void>>(),
};

export type LanguageCalls = ClientCalls<typeof LANGUAGE_CALLS>;
