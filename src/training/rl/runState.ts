/** What reinforcement-learning members share, as part of a run's state. */
import type { Priorities } from "../../rl/runtime/priorities.ts";
import type { ReplayRows } from "../../rl/runtime/replayRows.ts";
import type { Segment } from "../../rl/runtime/replaySegments.ts";
import type { UserModule } from "../../sandbox/moduleSource.ts";
import type { RunState as StateOf } from "../loop/runState.ts";
import type { RlKinds, Written } from "./kinds.ts";

/** What a run learned from, so that a resumed one finds the same. */
export interface DatasetIdentity {
  /** Path, hub id or kind of object. */
  readonly source: string;
  /** Transitions that it learns from. */
  readonly rows: number;
  /** Of those transitions. */
  readonly sha256: string;
}

/** A user's module as a run keeps it: as it was written. */
export type KeptModule = Pick<UserModule, "name" | "sha256" | "source">;

/** The replay memory as the host keeps it: every segment whole, and its ring. */
export interface ReplayState {
  readonly segment: number;
  readonly rings: readonly Segment[];
  /** None of a data set whose rows are read when they are asked for. */
  readonly segments: readonly ReplayRows[];
  /** By slot, of a memory that members sample by priority; null elsewhere. */
  readonly priorities: readonly Priorities[] | null;
  /** The data set that it is; checkpoints hold no rows of it. */
  readonly dataset?: DatasetIdentity;
  /** Reads the rows of that data set; absent of a caller's memory, which holds them, and of a state that was just read. */
  readonly data?: () => AsyncIterable<Written>;
}

/** What members share. */
export interface Shared {
  readonly epsilon: number;
  readonly replay: ReplayState | null;
  /**
   * Workgroups that the GPU runs at once, as this run measured it; null where it did not need to. Minibatches are cut
   * by it, so it decides about bits.
   */
  readonly gpu_workgroups: number | null;
  /** The module that a user's environment is made of; absent elsewhere. */
  readonly user_module?: KeptModule;
}

export type RunState = StateOf<RlKinds>;

/** What the memory holds, as transitions to store. */
export function allWritten(replay: ReplayState | null): Written[] {
  if (!replay) return [];
  return replay.segments.map((rows, slot) => ({
    slot,
    start: 0,
    count: replay.rings[slot]?.count ?? 0,
    rows,
  }));
}

/** The memory with a segment's new transitions copied in (in place: segments are large). */
export function storeWritten(
  replay: Pick<ReplayState, "segment" | "segments">,
  { slot, start, count, rows }: Written,
): void {
  const segment = replay.segments[slot];
  if (!segment) throw new RangeError(`replay: no segment ${slot}; there are ${replay.segments.length}`);
  for (const field of Object.keys(rows) as (keyof ReplayRows)[]) {
    const target = segment[field];
    const width = target.length / replay.segment;
    const first = Math.min(count, replay.segment - start);
    target.set(rows[field].subarray(0, first * width), start * width);
    if (first < count) target.set(rows[field].subarray(first * width, count * width), 0);
  }
}
