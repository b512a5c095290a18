/** Text environments for language models. */

import type { RewardComponents } from "../data/rows.ts";
import type { ChatMessage } from "../tokenizers/Tokenizer.ts";

export type Awaitable<T> = T | PromiseLike<T>;
export type EnvironmentInfo = Readonly<Record<string, unknown>>;

/** Observation of a step: text, or an object that `observation_field` or a processor turns into text. */
export type RawObservation = string | object;

export interface ResetOptions {
  /** Row of the data set; ignored by environments without rows. */
  readonly row_index?: number;
}

/**
 * A text environment that plays one trajectory at a time: `reset` starts it, and `step` receives the model's text. Both may
 * return promises.
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
  /** Name in messages. */
  readonly name?: string;
  /**
   * Number of rows in the data set, if there is one. An environment with `setEvaluation` gives the number of
   * held-out rows during evaluation: `row_index` is always below `dataset_size`.
   */
  readonly dataset_size?: number;
  /** Completed passes over the data set. */
  readonly num_epochs?: number;
  /**
   * Returns the first observation. It may be a list of messages, for a prompt with several. `tools` of its info, a list of
   * JSON schemas, is for the chat template.
   */
  reset(
    seed?: number,
    options?: ResetOptions,
  ): Awaitable<readonly [RawObservation | readonly ChatMessage[], EnvironmentInfo]>;
  /**
   * Returns observation, reward, terminated, truncated, info. A reward may have components, as a rubric's. An episode
   * with a reward that is no finite number is left out of learning, with a warning; booleans count as 1 and 0. With an
   * `action_field` other than "message", the action is an object.
   */
  step(
    action: string,
  ): Awaitable<readonly [RawObservation, number | RewardComponents, boolean, boolean, EnvironmentInfo]>;
  /** Switches to the held-out rows, and back. */
  setEvaluation?(on: boolean): void;
  close?(): Awaitable<void>;
}

/** The name of an environment in messages. */
export const environmentName = (env: LlmEnvironment): string =>
  env.name ?? (env.constructor === Object ? "environment" : env.constructor.name);
