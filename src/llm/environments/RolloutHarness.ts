/**
 * Plays one trajectory of a language model in an environment: the policy
 * exchanges ids, the environment texts.
 */
import type { RolloutEnvSpec } from "../../specs/sections.ts";
import { readTools, withTools } from "../data/messages.ts";
import type { RewardWeights, Row, Rubric } from "../data/rows.ts";
import { type ChatForm, feedbackIds, feedbackText, openingIds } from "../tokenizers/chatText.ts";
import type { ChatMessage } from "../tokenizers/Tokenizer.ts";
import {
  type Call,
  callReset,
  callStep,
  failure,
  isConversation,
  type ObservationReader,
  readObservation,
} from "./callEnvironment.ts";
import { Episode, type EpisodeData } from "./Episode.ts";
import { checkHarnessOptions, environmentOf, type RolloutHarnessOptions } from "./harnessOptions.ts";
import { type EnvironmentInfo, environmentName, type LlmEnvironment } from "./LlmEnvironment.ts";
import { RowsEnvironment, type RowsTaskOptions, rowsTask } from "./RowsEnvironment.ts";
import { builtInRubric } from "./rubrics.ts";
import type { EpisodeStart } from "./seeds.ts";
import { type SpecHarnessOptions, specHarnessOptions } from "./specHarnessOptions.ts";

/** Input of the policy; empty once the episode is over. */
export interface Prompt {
  readonly input_ids: Int32Array;
}

/**
 * Connects a language model to a text environment. Each piece of the conversation is encoded separately and appended, so
 * the ids after one turn are a prefix of the ids after the next. Training therefore sees exactly the sampled ids.
 *
 * @example
 * ```ts
 * const actor_network = await LanguageModel.load("rlkit/tiny-letters");
 * const agent = new LLMPPO({ actor_network, max_output_tokens: 1 });
 * const harness = new RolloutHarness({ env: "rlkit/GridNavigation", tokenizer: actor_network.tokenizer, max_turns: 5 });
 * let [prompt] = await harness.reset({ seed: 7 });
 * while (prompt.input_ids.length > 0) {
 *   const { completion_ids } = await agent.getAction([prompt]);
 *   [prompt] = await harness.step(completion_ids[0] ?? []);
 * }
 * const { input_ids, action_mask, rewards } = harness.getEpisodeData();
 * ```
 */
export class RolloutHarness {
  readonly env: LlmEnvironment;
  /** Upper bound on the ids of a prompt. */
  readonly prompt_budget: number;
  readonly #settings: ChatForm;
  /** As the settings, with the tools of the episode. */
  #form: ChatForm;
  readonly #reader: ObservationReader;
  readonly #instruction: string | null;
  readonly #action_field: string;
  readonly #timeout: number | null;
  readonly #weights: RewardWeights | null;
  #max_turns: number;
  #episode: Episode | null = null;
  #messages: ChatMessage[] = [];
  #done = false;

  /** @throws TypeError, RangeError or Error naming an invalid option, see {@link RolloutHarnessOptions}. */
  constructor(options: RolloutHarnessOptions) {
    checkHarnessOptions(options);
    const { max_model_len = null, max_output_tokens = null } = options;
    this.env = environmentOf(options);
    const reserved = Math.max(1, Math.min(max_output_tokens ?? 1, max_model_len ?? Infinity));
    this.prompt_budget = max_model_len === null ? Infinity : max_model_len - reserved;
    this.#settings = {
      tokenizer: options.tokenizer,
      apply_chat_template: options.apply_chat_template ?? true,
      chat_template_kwargs: options.chat_template_kwargs ?? {},
      strict_chat_template_boundary: options.strict_chat_template_boundary ?? true,
    };
    this.#form = this.#settings;
    this.#reader = {
      observation_field: options.observation_field ?? null,
      observation_processor: options.observation_processor ?? null,
    };
    this.#instruction = options.instruction ?? null;
    this.#action_field = options.action_field ?? "message";
    this.#timeout = options.timeout ?? null;
    this.#weights = options.reward_weights ?? null;
    this.#max_turns = options.max_turns ?? 1;
  }

  /** Creates a harness for an environment in this process. */
  static local(
    env: RolloutHarnessOptions["env"],
    options: Omit<RolloutHarnessOptions, "env">,
  ): RolloutHarness {
    return new RolloutHarness({ ...options, env });
  }

  /**
   * Creates a single-turn harness over rows: the prompt is from a row, the reward from a rubric.
   *
   * @param rubric A function, or the name of a built-in rubric.
   * @throws Error if there are no rows, for an unknown rubric, or naming missing columns.
   */
  static fromDataset(
    rows: readonly Row[],
    rubric: Rubric | string,
    options: Omit<RolloutHarnessOptions, "env" | "env_config" | "max_turns"> & RowsTaskOptions,
  ): RolloutHarness {
    const { name, test_rows, prompt_template, answer_column, ...harness } = options;
    const task = rowsTask(
      rows,
      typeof rubric === "string" ? builtInRubric(rubric) : rubric,
      {
        ...(name === undefined ? {} : { name }),
        ...(answer_column === undefined ? {} : { answer_column }),
        test_rows: test_rows ?? null,
        prompt_template: prompt_template ?? null,
      },
      {
        tokenizer: harness.tokenizer,
        apply_chat_template: harness.apply_chat_template ?? true,
        chat_template_kwargs: harness.chat_template_kwargs ?? {},
      },
    );
    return new RolloutHarness({ ...harness, env: new RowsEnvironment(task), max_turns: 1 });
  }

  /**
   * Returns a function that makes harnesses for a manifest's environment. The rows are read only once.
   *
   * @throws Error for unsupported settings, with an alternative, and for invalid rows or rubrics.
   */
  static async factoryFromSpec(
    spec: RolloutEnvSpec,
    options: SpecHarnessOptions,
  ): Promise<() => RolloutHarness> {
    const optionsOfOne = await specHarnessOptions(spec, options);
    return () => new RolloutHarness(optionsOfOne());
  }

  /** Makes one harness, as {@link RolloutHarness.factoryFromSpec} does. */
  static async fromSpec(spec: RolloutEnvSpec, options: SpecHarnessOptions): Promise<RolloutHarness> {
    return (await RolloutHarness.factoryFromSpec(spec, options))();
  }

  get max_turns(): number {
    return this.#max_turns;
  }

  /** Lowers `max_turns` to `most`, if that is smaller. */
  limitTurns(most: number): void {
    this.#max_turns = Math.min(this.#max_turns, most);
  }

  /** Whether the episode has ended, or none has started. */
  get done(): boolean {
    return this.#done || this.#episode === null;
  }

  /** Number of rows in the environment's data set, of held-out rows during evaluation; `null` without one. */
  get dataset_size(): number | null {
    return this.env.dataset_size ?? null;
  }

  /** Completed passes over the data set, as counted by the environment. */
  get num_epochs(): number {
    return this.env.num_epochs ?? 0;
  }

  /** Switches to the held-out rows, and back, if the environment has any. */
  setEvaluation(on: boolean): void {
    this.env.setEvaluation?.(on);
  }

  /**
   * Starts an episode. A prompt over the budget ends it at turn 0, with `info.truncated`.
   *
   * @throws Error naming an environment that fails or returns no text; TimeoutError.
   */
  async reset({ seed, row_index }: Partial<EpisodeStart> = {}): Promise<[Prompt, EnvironmentInfo]> {
    this.#episode = null;
    const call = this.#call("reset");
    const { observation, info } = await callReset(call, seed, row_index);
    this.#form = withTools(this.#settings, readTools(info.tools, "info.tools"));
    this.#messages = await this.#opening(call, observation);
    const ids = openingIds(this.#form, this.#messages);
    if (ids.length === 0) throw failure(call, "found an empty prompt, allowed at least one token");
    const episode = new Episode();
    this.#done = ids.length > this.prompt_budget;
    if (!this.#done) episode.append(ids);
    episode.info = this.#done ? { ...info, truncated: true } : info;
    this.#episode = episode;
    return [this.#prompt(episode), episode.info];
  }

  /**
   * Plays a turn.
   *
   * @param completion The full ids: those of the prompt, followed by at least one generated id.
   * @param given `log_probs`: log-probabilities of the generated ids, in order.
   * @returns The next prompt (empty once the episode is over), reward (NaN for what is no number), terminated, truncated,
   *   info.
   * @throws Error after the end of the episode; RangeError for ids that do not continue the prompt; Error
   *   naming the environment and turn if the environment fails; TimeoutError.
   */
  async step(
    completion: ArrayLike<number>,
    given: { readonly log_probs?: ArrayLike<number> | null } = {},
  ): Promise<[Prompt, number, boolean, boolean, EnvironmentInfo]> {
    const episode = this.#running("step");
    const written = writtenIds(episode.ids, completion);
    const log_probs = given.log_probs ?? null;
    if (log_probs !== null && log_probs.length !== written.length)
      throw new RangeError(
        `step: found ${log_probs.length} log_probs, allowed ${written.length}, one for each new id`,
      );
    const text = this.#form.tokenizer.decode(written);
    const call = this.#call("step");
    const action = this.#action_field === "message" ? text : { [this.#action_field]: text };
    const { observation, reward, faults, terminated, truncated, info } = await callStep(call, action);
    episode.appendTurn(written, reward, log_probs);
    episode.faults.push(...faults);
    episode.info = info;
    this.#messages.push({ role: "assistant", content: text });
    const over = terminated || truncated || !(await this.#continue(call, episode, observation));
    this.#done = over;
    return [this.#prompt(episode), reward, terminated, over && !terminated, info];
  }

  /** @throws Error before the first reset. */
  getEpisodeData(): EpisodeData {
    if (this.#episode === null) throw new Error("getEpisodeData: no episode yet; call reset first");
    return this.#episode.data(this.#max_turns);
  }

  /** Closes the environment, if it supports that. */
  async close(): Promise<void> {
    await this.env.close?.();
  }

  /**
   * Appends the observation of a turn that is not the last. Returns `false` if the
   * turns or the budget are used up.
   */
  async #continue(call: Call, episode: Episode, observation: unknown): Promise<boolean> {
    if (episode.num_turns >= this.#max_turns) return false;
    const text = await this.#text(call, observation);
    const feedback = feedbackText(this.#form, this.#messages, text);
    const ids = feedbackIds(this.#form, feedback, episode.ids.at(-1) ?? -1);
    if (episode.ids.length + ids.length > this.prompt_budget) return false;
    episode.append(ids);
    this.#messages.push({ role: "user", content: text });
    return true;
  }

  async #opening(call: Call, observation: unknown): Promise<ChatMessage[]> {
    const messages: ChatMessage[] = isConversation(observation)
      ? [...observation]
      : [{ role: "user", content: await this.#text(call, observation) }];
    const [first, ...rest] = messages;
    if (this.#instruction === null || first === undefined) return messages;
    return [{ ...first, content: `${this.#instruction}\n\n${first.content ?? ""}` }, ...rest];
  }

  async #text(call: Call, observation: unknown): Promise<string> {
    try {
      return await readObservation(observation, this.#reader);
    } catch (error) {
      throw failure(call, error instanceof Error ? error.message : String(error), error);
    }
  }

  #prompt(episode: Episode): Prompt {
    return { input_ids: this.#done ? new Int32Array(0) : Int32Array.from(episode.ids) };
  }

  #running(what: string): Episode {
    const name = environmentName(this.env);
    if (this.#episode === null)
      throw new Error(`${what}: environment "${name}" has no episode yet; call reset first`);
    if (this.#done)
      throw new Error(
        `${what}: the episode of environment "${name}" ended at turn ${this.#episode.num_turns}; call reset first`,
      );
    return this.#episode;
  }

  #call(method: Call["method"]): Call {
    const turn = this.#episode?.num_turns ?? 0;
    return { env: this.env, method, turn, timeout: this.#timeout, weights: this.#weights };
  }
}

/** The ids after the prompt. */
function writtenIds(prompt: readonly number[], completion: ArrayLike<number>): Int32Array {
  const differs = prompt.findIndex((id, i) => completion[i] !== id);
  if (differs !== -1)
    throw new RangeError(
      `step: id ${differs} is ${completion[differs] ?? "missing"}, but ${prompt[differs]} in the prompt; pass the full ids, starting with the prompt's`,
    );
  if (completion.length === prompt.length)
    throw new RangeError(`step: found only the prompt's ${prompt.length} ids, allowed at least one more`);
  return Int32Array.from(completion).subarray(prompt.length);
}
