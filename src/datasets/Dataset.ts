/** A data set that was opened: what it says of itself, its episodes, its transitions. */
import type { AgentSpaces, SingleAgentSpace } from "../rl/spaces/index.ts";
import type { DatasetTransitions, TransitionReader } from "./TransitionReader.ts";

/** One episode, for whoever looks at a data set. */
export interface DatasetEpisode {
  readonly id: number;
  readonly steps: number;
  readonly return: number;
  /** How it ended: by the task, by a limit, or not at all. */
  readonly end: "terminated" | "truncated" | "open";
}

/** Observations side by side, for whoever looks at a data set. */
export interface ObservedStretch {
  readonly rows: number;
  /** Their numbers one after another. @throws DatasetError naming the row that is no observation. */
  read(from: number, to: number): Promise<Float32Array>;
}

/** A data set, opened: of a file its tables are read when they are asked for. */
export interface Dataset {
  /** Path, id or kind, for messages and checkpoints. */
  readonly source: string;
  readonly format: "minari" | "flat";
  /** SHA-256 of the file; null for arrays and handles of a caller's. */
  readonly sha256: string | null;
  /** Null where the file does not say. */
  readonly observation_space: SingleAgentSpace | null;
  readonly action_space: SingleAgentSpace | null;
  /** Id of the environment that it came from; null where the file does not say. */
  readonly environment: string | null;
  readonly description: string | null;
  readonly total_steps: number;
  /** @throws DatasetError for a file that is not as its format says. */
  episodes(): readonly DatasetEpisode[];
  /** Observations where they lie: of each episode, or of blocks of rows. Nothing is read yet. */
  observations(): readonly ObservedStretch[];
  /**
   * Its transitions, read part by part.
   * @param layout Of the environment that agents are evaluated in.
   * @param most Transitions at most, the newest; all unless given.
   * @throws DatasetError naming what does not fit the environment.
   */
  reader(layout: AgentSpaces, most?: number): TransitionReader;
  /** All of them at once. @throws DatasetError as `reader`, and naming the row that holds no such number. */
  transitions(layout: AgentSpaces, most?: number): Promise<DatasetTransitions>;
  /** Gives the file back. */
  close(): void;
}
