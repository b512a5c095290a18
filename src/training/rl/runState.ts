/** The shared state of reinforcement-learning members, as part of a run's state. */
import {
  type HeldOut,
  type LaneState,
  observationWords,
  type Priorities,
  type ReplayRows,
  type Segment,
  withMasks,
} from "../../agents/members.ts";
import type { UserModule } from "../../sandbox/modules.ts";
import type { RunState as StateOf } from "../loop/Workload.ts";
import type { RlKinds, Written } from "./kinds.ts";
import type { League } from "./league.ts";

/** Identity of the data set that a run learned from, so that a resumed run can verify it. */
export interface DatasetIdentity {
  /** Path, hub id or kind of object. */
  readonly source: string;
  /** Number of transitions that the run learns from. */
  readonly rows: number;
  /** SHA-256 of those transitions. */
  readonly sha256: string;
}

/** A user's module as stored with a run: its source text. */
export type KeptModule = Pick<UserModule, "name" | "sha256" | "source">;

/** The replay buffer on the host: every segment as a whole, and its ring. */
export interface ReplayState {
  readonly segment: number;
  readonly rings: readonly Segment[];
  /** Empty for a data set whose rows are read on demand. */
  readonly segments: readonly ReplayRows[];
  /** Priorities by slot, if members sample by priority; else `null`. */
  readonly priorities: readonly Priorities[] | null;
  /** Rows have action masks, which the environment's layout does not say. */
  readonly masked?: true;
  /**
   * Transitions that each slot collected in the last generation; absent if learning steps are due only by a
   * member's own.
   */
  readonly collected?: readonly number[];
  /** Identity of the data set that serves as the replay buffer; checkpoints do not contain its rows. */
  readonly dataset?: DatasetIdentity;
  /** Its rows that only judge members. */
  readonly held?: HeldOut;
  /**
   * Reads the rows of that data set. Absent if the caller's replay buffer has them, and in a state that was
   * just loaded.
   */
  readonly data?: () => AsyncIterable<Written>;
}

/** Demonstrations that members learn from beside the environment. Checkpoints do not contain their rows. */
export interface Demonstrations {
  readonly identity: DatasetIdentity;
  /** Rows have action masks. */
  readonly masked?: true;
  /** Reads the rows, for the slot after the last of `population` members. Absent in a state that was just loaded. */
  readonly read?: (population: number) => AsyncIterable<Written>;
}

/** The state that members share. */
export interface Shared {
  readonly epsilon: number;
  readonly replay: ReplayState | null;
  /** Absent for runs without. */
  readonly demonstrations?: Demonstrations;
  /**
   * Number of workgroups that the GPU runs at once, as measured by this run; null if it was not needed. It
   * determines how minibatches are sliced, so results depend on it bit for bit.
   */
  readonly gpu_workgroups: number | null;
  /** The module of a user's environment; absent for other environments. */
  readonly user_module?: KeptModule;
  /**
   * The lanes of each slot, `null` before they begin. Absent if episodes begin and end with generations
   * (`reset_each_generation`, and runs that were stored before there was another way).
   */
  readonly lanes?: readonly (LaneState | null)[];
  /** Past selves and ratings of a run in a game; absent in other environments. */
  readonly league?: League;
}

export type RunState = StateOf<RlKinds>;

/** The contents of the replay buffer, as transitions to write. */
export function allWritten(replay: ReplayState | null): Written[] {
  if (!replay) return [];
  return replay.segments.map((rows, slot) => ({
    slot,
    start: 0,
    // Held-out rows are in no ring.
    count: replay.held ? replay.segment : (replay.rings[slot]?.count ?? 0),
    rows,
  }));
}

/** Segments that have room for the masks of new transitions; the same ones if they have already. */
export function withRoomFor(
  segments: readonly ReplayRows[],
  news: readonly Written[],
): readonly ReplayRows[] {
  const words = Math.max(0, ...news.map(({ rows }) => observationWords(rows)));
  return segments.map((rows) => withMasks(rows, words));
}

/** Copies new transitions into a segment, in place because segments are large. */
export function storeWritten(
  replay: Pick<ReplayState, "segment" | "segments">,
  { slot, start, count, rows: given }: Written,
): void {
  const segment = replay.segments[slot];
  if (!segment) throw new RangeError(`replay: no segment ${slot}; there are ${replay.segments.length}`);
  const rows = withMasks(given, observationWords(segment));
  for (const field of Object.keys(rows) as (keyof ReplayRows)[]) {
    const target = segment[field];
    const width = target.length / replay.segment;
    const first = Math.min(count, replay.segment - start);
    target.set(rows[field].subarray(0, first * width), start * width);
    if (first < count) target.set(rows[field].subarray(first * width, count * width), 0);
  }
}
