/** What a language model plays: an environment of texts. */
import type { ChatMessage } from "../tokenizers/Tokenizer.ts";

export type Awaitable<T> = T | PromiseLike<T>;
export type EnvironmentInfo = Readonly<Record<string, unknown>>;

/** What a step may give for a text: the text itself, or an object that `observation_field` or a processor reads. */
export type RawObservation = string | object;

export interface ResetOptions {
  /** Row of the data set; environments without rows ignore it. */
  readonly row_index?: number;
}

/**
 * One trajectory at a time: `reset` begins it, `step` takes the model's text. Both may return promises.
 *
 * @example
 * ```ts
 * const guess: LlmEnvironment = {
 *   name: "guess",
 *   reset: () => ["Name a number from 0 to 4.", {}],
 *   step: (text) => ["", text.includes("3") ? 1 : 0, true, false, {}],
 * };
 * ```
 */
export interface LlmEnvironment {
  /** For messages. */
  readonly name?: string;
  /** Rows of the data set, where there is one. */
  readonly dataset_size?: number;
  /** Passes over the data set that are complete. */
  readonly num_epochs?: number;
  /** The first observation; of rows with a prompt of several messages, those. */
  reset(
    seed?: number,
    options?: ResetOptions,
  ): Awaitable<readonly [RawObservation | readonly ChatMessage[], EnvironmentInfo]>;
  /** Observation, reward, terminated, truncated, info. The action is a text, or an object under `action_field`. */
  step(action: string): Awaitable<readonly [RawObservation, number, boolean, boolean, EnvironmentInfo]>;
  /** Switches to the rows that are held out, and back. */
  setEvaluation?(on: boolean): void;
  close?(): Awaitable<void>;
}

/** The name of an environment in messages. */
export const environmentName = (env: LlmEnvironment): string =>
  env.name ?? (env.constructor === Object ? "environment" : env.constructor.name);
