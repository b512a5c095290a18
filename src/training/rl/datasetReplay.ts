/** A data set as the replay memory of a run. */
import type { Dataset } from "../../datasets/Dataset.ts";
import { DatasetError } from "../../datasets/DatasetError.ts";
import { hashRows, MOST_ROWS } from "../../datasets/transitions.ts";
import type { ReplayBuffer } from "../../rl/buffers/index.ts";
import { replayFields } from "../../rl/programs/replayFields.ts";
import { rowWords } from "../../rl/programs/rowLayout.ts";
import { eachField, type ReplayRows } from "../../rl/runtime/replayRows.ts";
import type { Segment } from "../../rl/runtime/replaySegments.ts";
import type { AgentSpaces } from "../../rl/spaces/index.ts";
import type { DatasetIdentity, ReplayState, RunState } from "./runState.ts";

/** The transitions that a run learns from. */
export interface RunData {
  readonly identity: DatasetIdentity;
  readonly rows: ReplayRows;
  readonly layout: AgentSpaces;
  /** Said before training starts. */
  readonly warnings: readonly string[];
}

/** @param most Transitions at most, the newest; null for all. @param setting What says so, for the warning. */
export async function readRunData(
  dataset: Dataset,
  layout: AgentSpaces,
  most: number | null,
  setting: string,
): Promise<RunData> {
  const { rows, count, notices } = await dataset.transitions(layout, most ?? MOST_ROWS + 1);
  const warnings = [...notices];
  if (most !== null && count === most && dataset.total_steps > most)
    warnings.push(
      `${setting} is ${most}: of ${dataset.total_steps} rows of the data set the newest ${count} are kept`,
    );
  return {
    identity: { source: dataset.source, rows: count, sha256: hashRows(rows) },
    rows,
    layout,
    warnings,
  };
}

/**
 * The transitions dealt out to members' segments in blocks. Segments are views of the same rows, which nobody writes.
 * @param segment Rows of a segment; as few as hold all unless given.
 */
export function dealt(
  { identity, rows, layout }: RunData,
  population: number,
  segment?: number,
): ReplayState {
  const size = segment ?? Math.ceil(identity.rows / population);
  const fields = replayFields(layout);
  const slots = Array.from({ length: population }, (_, slot) => slot);
  const end = (slot: number): number => Math.min(identity.rows, slot * size);
  return {
    segment: size,
    rings: slots.map((slot) => ({ position: 0, count: end(slot + 1) - end(slot) })),
    segments: slots.map((slot) =>
      eachField((name) => {
        const width = rowWords(fields[name]);
        return rows[name].subarray(end(slot) * width, end(slot + 1) * width);
      }),
    ),
    priorities: null,
    dataset: identity,
  };
}

/** Puts the transitions into a caller's memory that was laid out for the run, its segments filled one after another. */
export function fillFromData(memory: ReplayBuffer, data: RunData): void {
  const { rings, segments } = dealt(data, memory.population, memory.segment);
  segments.forEach((rows, slot) => {
    const ring = rings[slot] as Segment;
    memory.write({ slot, start: 0, count: ring.count, rows });
    memory.setRing(slot, ring);
  });
}

/**
 * A saved run's state with the data set that it learned from.
 * @param path The checkpoint's, for errors.
 * @throws DatasetError where the data are others than the checkpoint's.
 */
export function withData(state: RunState, data: RunData, path: string): RunState {
  const before = state.replay?.dataset;
  if (before && before.sha256 !== data.identity.sha256)
    throw new DatasetError(
      data.identity.source,
      `found ${data.identity.rows} transitions with SHA-256 ${data.identity.sha256}, and ${path} learned from ${before.rows} of ${before.source} with ${before.sha256}; give it the same data`,
    );
  return { ...state, replay: dealt(data, state.members.length) };
}
