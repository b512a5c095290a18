/** Language models as a workload of the training loop. */

import type { HyperparameterConfig } from "../../evolution/index.ts";
import type { SharedHeap } from "../../kernels/devices.ts";
import { type RewardFault, RewardTally } from "../../llm/environments.ts";
import type { ActingEngine, EpisodeRange, LlmMember } from "../../llm/members.ts";
import type { CompletionLoggingConfig } from "../../manifests/index.ts";
import type { CompletionRecord, TrainingEvent } from "../../tracking/observer.ts";
import type { ResultOf, RunState, Setup, TrainingDevice, TurnOf, Workload } from "../loop/Workload.ts";
import { EvolvedMember, type ModuleTexts } from "../loop/WorkloadDefinition.ts";

/** Name of the workload in checkpoints and workers. */
export const LLM_WORKLOAD = "language-models";

export interface LlmSetup extends Setup {
  /** The run's manifest as an object. */
  readonly manifest: unknown;
  readonly seed: number;
  /** Which completions of each iteration are logged; `null` logs none. */
  readonly completion_logging: CompletionLoggingConfig | null;
  /**
   * Modules that the manifest names, as text, which run in sandboxes (default: files of these names, which
   * run in threads).
   */
  readonly modules?: ModuleTexts;
  /** Whether raw text gets the tokenizer's special tokens (default: true). */
  readonly special_tokens?: boolean;
  /** Whether the order of rows depends on the seed (default: true). */
  readonly seeded_rows?: boolean;
  /** Device that its turn runners run on (default: wasm). */
  readonly device?: TrainingDevice;
  /** Memory of the threads of one run, which have one copy of the base in it (default: each thread has its own). */
  readonly heap?: SharedHeap;
  /** What generates completions on wasm (default: not chosen yet). */
  readonly acts?: ActingEngine;
}

interface LlmTurn extends TurnOf {
  /** Whether the member is evaluated after the turn. */
  readonly evaluate: boolean;
  /** The part of the run's steps that were taken before the turn. */
  readonly progress?: number;
  /** Episodes of an evaluation that is all of the turn; absent in turns that train. */
  readonly episodes?: EpisodeRange;
}

export interface LlmResult extends ResultOf<LlmMember> {
  readonly warnings: readonly string[];
  /** What environments gave in place of rewards. */
  readonly reward_faults?: readonly RewardFault[];
  /** Whether all completions of each prompt, or all perturbed copies, earned the same. */
  readonly level: boolean;
  /** Completions sampled for the log. */
  readonly completions: readonly CompletionRecord[];
}

/** What members share. */
interface LlmShared {
  /** False for a run of an earlier version, which gave raw text no special tokens (default: true). */
  readonly special_tokens?: boolean;
  /** False for a run of an earlier version, whose rows had one order for all seeds (default: true). */
  readonly seeded_rows?: boolean;
  /** What generates completions on wasm; absent until it is chosen. */
  readonly acts?: ActingEngine;
}

export interface LlmKinds {
  readonly agent: LlmMember;
  readonly shared: LlmShared;
  readonly setup: LlmSetup;
  readonly turn: LlmTurn;
  readonly result: LlmResult;
  readonly news: never;
}

interface LlmWorkloadParts {
  readonly manifest: unknown;
  readonly seed: number;
  readonly hp_config: HyperparameterConfig | null;
  readonly evaluation_interval: number;
  /** Steps of the whole population, over which schedules are spread. */
  readonly max_steps: number;
  /** Episodes of a usual evaluation (default: 0). */
  readonly eval_loop?: number;
  readonly completion_logging: CompletionLoggingConfig | null;
  /** Modules that the manifest names, as text (default: they are files). */
  readonly modules?: ModuleTexts | null;
  /** Metrics that the algorithm reports. */
  readonly metrics: readonly string[];
  /** Description of the model, which is the same for all members. */
  readonly description: string;
}

/** Consecutive iterations without a turn before the run stops, and without any advantage before it warns. */
const IDLE_ITERATIONS = 8;
const LEVEL_ITERATIONS = 10;

export class LlmWorkload implements Workload<LlmKinds> {
  readonly #parts: LlmWorkloadParts;
  readonly #said = new Set<string>();
  readonly #rewards = new RewardTally();
  #idle = 0;
  #level = 0;
  #history: readonly CompletionRecord[] = [];

  constructor(parts: LlmWorkloadParts) {
    this.#parts = parts;
  }

  /** The latest sampled completions, reported when the run fails. */
  lastWords(): readonly TrainingEvent[] {
    const records = this.#history;
    if (records.length === 0) return [];
    return [{ event: "completions", level: "error", generation: records.at(-1)?.step ?? 0, records }];
  }

  setup({ members, device, special_tokens = true, seeded_rows = true, acts }: RunState<LlmKinds>): LlmSetup {
    const { manifest, seed, completion_logging, modules } = this.#parts;
    return {
      workload: LLM_WORKLOAD,
      members: members.length,
      manifest,
      seed,
      completion_logging,
      special_tokens,
      seeded_rows,
      ...(acts && { acts }),
      ...(modules && { modules }),
      trainedOn: device,
    };
  }

  evolved(agent: LlmMember): EvolvedMember<LlmMember> {
    return new EvolvedMember(agent, this.#parts.hp_config);
  }

  turn(_agent: LlmMember, slot: number, { members }: RunState<LlmKinds>, generation: number): LlmTurn {
    const { evaluation_interval, max_steps } = this.#parts;
    const progress = members.reduce((sum, { steps }) => sum + steps, 0) / max_steps;
    return { slot, generation, evaluate: generation % evaluation_interval === 0, progress };
  }

  /** Plays other episodes than the evaluations between which it decides. */
  evaluation(_agent: LlmMember, slot: number, { generation }: RunState<LlmKinds>, count: number): LlmTurn {
    const episodes = { first: this.#parts.eval_loop ?? 0, count };
    return { slot, generation: generation + 1, evaluate: true, episodes };
  }

  gather() {
    return { shared: {}, news: [] };
  }

  /** @throws Error after {@link IDLE_ITERATIONS} iterations in which no member played a turn. */
  events(results: readonly (LlmResult | null)[], generation: number): readonly TrainingEvent[] {
    const done = results.filter((result) => result !== null);
    this.#idle = done.every(({ env_steps }) => env_steps === 0) ? this.#idle + 1 : 0;
    if (this.#idle >= IDLE_ITERATIONS) {
      throw new Error(
        `${this.#idle} iterations in a row had no turn: every prompt ends its episode at once; shorten prompts or raise max_model_len`,
      );
    }
    const warnings = new Set([
      ...done.flatMap((result) => result.warnings),
      ...this.#rewards.add(done.flatMap((result) => result.reward_faults ?? [])),
    ]);
    if (this.#idle > 0) warnings.add("an iteration had no turn; every prompt ended its episode at once");
    this.#level = done.every(({ level }) => level) ? this.#level + 1 : 0;
    if (this.#level === LEVEL_ITERATIONS) {
      warnings.add(
        `in the last ${LEVEL_ITERATIONS} iterations, all completions of each prompt earned the same reward, so nothing is learned; if it is the best reward, training is complete, otherwise raise temperature (of perturbed copies: sigma) or change the reward`,
      );
    }
    const fresh = [...warnings].filter((message) => !this.#said.has(message));
    for (const message of fresh) this.#said.add(message);
    return [
      ...fresh.map((message) => ({ event: "warning" as const, message })),
      ...this.#completions(done, generation),
    ];
  }

  #completions(results: readonly LlmResult[], generation: number): readonly TrainingEvent[] {
    const config = this.#parts.completion_logging;
    const records = results.flatMap(({ completions }) => completions);
    if (config === null || records.length === 0) return [];
    this.#history = [...this.#history, ...records].slice(-config.history_size);
    const start = records.filter(({ step }) => step === 0);
    const now = records.filter(({ step }) => step > 0);
    const due = now.length > 0 && generation % config.interval === 0;
    return [
      ...(start.length > 0 ? [{ event: "completions" as const, generation: 0, records: start }] : []),
      ...(due ? [{ event: "completions" as const, generation, records: now }] : []),
    ];
  }

  describe(): string {
    return this.#parts.description;
  }

  metrics(): readonly string[] {
    return this.#parts.metrics;
  }
}
