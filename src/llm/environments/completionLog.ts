/** Samples of what a population writes, for people to read. Pure: who writes them where is the caller's. */
import { Random } from "../../evolution/random.ts";
import type { CompletionLoggingConfig } from "../../specs/CompletionLoggingConfig.ts";

/** A sampled completion; keys are in the order in which they are written. */
export interface CompletionRecord {
  /** Outer iteration. */
  readonly step: number;
  readonly agent_index: number;
  readonly group_index: number;
  readonly sample_index: number;
  /** Sum over turns. */
  readonly reward: number;
  readonly num_turns: number;
  readonly completion_tokens: number;
  readonly prompt: string;
  readonly completion: string;
}

/** A trajectory that may be sampled; its texts are made only if it is. */
export interface LoggedTrajectory {
  readonly rewards: ArrayLike<number>;
  readonly num_turns: number;
  readonly completion_tokens: number;
  texts(): { readonly prompt: string; readonly completion: string };
}

/** What one member played in an iteration: groups of trajectories of one prompt. */
export interface MemberRollout {
  readonly agent_index: number;
  readonly groups: readonly (readonly LoggedTrajectory[])[];
}

/** A text of at most `max_chars` characters: of a longer one head and tail, and between them how much is missing. */
export function truncateText(text: string, max_chars: number): string {
  if (text.length <= max_chars) return text;
  const characters = Array.from(text);
  const missing = characters.length - max_chars;
  if (missing <= 0) return text;
  const head = characters.slice(0, Math.ceil(max_chars / 2)).join("");
  const tail = characters.slice(Math.ceil(max_chars / 2) + missing).join("");
  return `${head}\n... ${missing} chars truncated ...\n${tail}`;
}

function recordsOf(
  step: number,
  rollout: MemberRollout,
  config: CompletionLoggingConfig,
): CompletionRecord[] {
  const { agent_index, groups } = rollout;
  const random = new Random({
    seed: config.seed >>> 0,
    stream: "completions",
    slot: agent_index,
    generation: step,
  });
  const sampled = random.sample([...groups.keys()], config.num_groups).toSorted((a, b) => a - b);
  return sampled.flatMap((group_index) =>
    (groups[group_index] ?? []).map((trajectory, sample_index) => {
      const { prompt, completion } = trajectory.texts();
      return {
        step,
        agent_index,
        group_index,
        sample_index,
        reward: Array.from(trajectory.rewards).reduce((sum, reward) => sum + reward, 0),
        num_turns: trajectory.num_turns,
        completion_tokens: trajectory.completion_tokens,
        prompt: truncateText(prompt, config.max_chars),
        completion: truncateText(completion, config.max_chars),
      };
    }),
  );
}

export class CompletionLog {
  readonly #config: CompletionLoggingConfig;
  #history: CompletionRecord[] = [];

  constructor(config: CompletionLoggingConfig) {
    this.#config = config;
  }

  /** The latest records, oldest first, for when training fails. */
  get history(): readonly CompletionRecord[] {
    return this.#history;
  }

  /**
   * Samples groups of every member.
   *
   * @param step Outer iteration.
   * @returns The records of all members to write at once; null in iterations between writes.
   */
  add(step: number, rollouts: readonly MemberRollout[]): readonly CompletionRecord[] | null {
    const records = rollouts.flatMap((rollout) => recordsOf(step, rollout, this.#config));
    this.#history = [...this.#history, ...records].slice(-this.#config.history_size);
    return step % this.#config.interval === 0 && records.length > 0 ? records : null;
  }
}
