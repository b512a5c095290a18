/** An opened data set: its metadata, episodes and transitions. */
import type { ChosenGame } from "../rl/environments.ts";
import type { AgentSpaces, SingleAgentSpace } from "../rl/spaces.ts";
import type { Column } from "./Column.ts";
import type { DatasetTransitions, TransitionReader } from "./TransitionReader.ts";

export interface OpenOptions {
  /** Text of the `metadata.json` that belongs to the bytes. For a path, defaults to the file beside it. */
  readonly metadata?: string | null;
  /** Name in messages and checkpoints. Defaults to the path, or "data set". */
  readonly source?: string;
  /** SHA-256 of the bytes, if known; otherwise it is calculated. */
  readonly sha256?: string;
}

/** Summary of one episode, for displays. */
export interface DatasetEpisode {
  readonly id: number;
  readonly steps: number;
  readonly return: number;
  /** How the episode ended: by the task, by a limit, or not at all. */
  readonly end: "terminated" | "truncated" | "open";
}

/** A sequence of observations or actions, for displays. */
export interface ObservedStretch {
  readonly rows: number;
  /**
   * Reads rows as flat numbers.
   * @throws DatasetError naming the row that is not valid.
   */
  read(from: number, to: number): Promise<Float32Array>;
}

/**
 * Mean returns of an environment that count as 0 and 100, such as those of random actions and of an expert.
 * @internal
 */
export interface ReferenceScores {
  readonly min: number;
  readonly max: number;
}

/** An opened data set. Tables in a file are read only when requested. */
export interface Dataset {
  /** Path, id or kind, for messages and checkpoints. */
  readonly source: string;
  readonly format: "minari" | "flat";
  /** SHA-256 of the file; `null` for arrays and handles passed by a caller. */
  readonly sha256: string | null;
  /** `null` if the file does not state the space. */
  readonly observation_space: SingleAgentSpace | null;
  readonly action_space: SingleAgentSpace | null;
  /** Id of the environment that produced the data; `null` if the file does not state it. */
  readonly environment: string | null;
  /**
   * The game of a file of games (default: it is none).
   * @internal
   */
  readonly game?: ChosenGame | null;
  readonly description: string | null;
  /**
   * Scores that its metadata name (default: none).
   * @internal
   */
  readonly reference_scores?: ReferenceScores | null;
  readonly total_steps: number;
  /** Whether it has the action masks of its observations. */
  readonly masked: boolean;
  /**
   * What a reader of the data should know, such as tables that may mark the ends of episodes but are not
   * understood. Reads whole tables. @throws DatasetError for a file that violates its format.
   */
  readonly notices: readonly string[];
  /** @throws DatasetError for a file that violates its format. */
  episodes(): readonly DatasetEpisode[];
  /**
   * Tables of observations or actions, one per episode or one for all. Nothing is read yet.
   * @throws DatasetError where they are in groups.
   * @internal
   */
  tables(name: "observations" | "actions"): readonly Column[];
  /** Observations, one item per episode or per block of rows. Nothing is read yet. */
  observations(): readonly ObservedStretch[];
  /** Actions, likewise. @internal */
  actions(): readonly ObservedStretch[];
  /**
   * Returns a reader of the transitions, which reads them in parts.
   * @param layout Spaces of the environment that agents are evaluated in.
   * @param most Upper bound on transitions; the newest are kept (default: all).
   * @throws DatasetError naming what does not fit the environment.
   */
  reader(layout: AgentSpaces, most?: number): TransitionReader;
  /** All transitions at once. @throws DatasetError as `reader`, or naming the row with an invalid number. */
  transitions(layout: AgentSpaces, most?: number): Promise<DatasetTransitions>;
  /** Closes the file. */
  close(): void;
}
