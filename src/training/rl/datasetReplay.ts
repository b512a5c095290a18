/** A data set as the replay buffer of a run. */

import type { ReplayBuffer } from "../../agents/classes.ts";
import { type AgentState, advance, copyRows, type RunningStatistics } from "../../agents/members.ts";
import { type Dataset, DatasetError, MOST_ROWS, type TransitionBlock } from "../../datasets/reading.ts";
import type { AgentSpaces } from "../../rl/spaces.ts";
import { DataSurvey, toPolicyScale } from "./dataSurvey.ts";
import type { Written } from "./kinds.ts";
import type { DatasetIdentity, ReplayState, RunState } from "./runState.ts";

/** Fletcher checksums of 32-bit words, by name, which detect whether data changed between two reads. */
class WordSums {
  readonly #sums = new Map<string, readonly [number, number]>();

  /** Adds words after those added before under the same name. */
  add(name: string, { buffer, byteOffset, length }: Float32Array | Int32Array | Uint32Array): void {
    let [sum, weighted] = this.#sums.get(name) ?? [0, 0];
    for (const word of new Int32Array(buffer, byteOffset, length)) {
      sum = (sum + word) | 0;
      weighted = (weighted + sum) | 0;
    }
    this.#sums.set(name, [sum, weighted]);
  }

  equals(other: WordSums): boolean {
    return JSON.stringify([...this.#sums]) === JSON.stringify([...other.#sums]);
  }
}

/** The member with the data's moments, if it normalises observations and has none yet. */
export function withDataStatistics(member: AgentState, { observations }: RunData): AgentState {
  const { normalization } = member;
  if (!normalization?.observations || normalization.observations.count.some((n) => n > 0)) return member;
  return { ...member, normalization: { ...normalization, observations } };
}

/** Opens a data set; called each time its rows are read. */
type OpenDataset = () => Promise<{ readonly dataset: Dataset; readonly close: () => void }>;

/** The transitions that a run learns from. They are not kept in memory: `blocks` reads them. */
export interface RunData {
  readonly identity: DatasetIdentity;
  readonly layout: AgentSpaces;
  /** Emitted before training starts. */
  readonly warnings: readonly string[];
  /** Moments of the observations' numbers that agents may normalise. */
  readonly observations: RunningStatistics;
  /** Reads the transitions in order. @throws DatasetError if they changed since they were first read. */
  blocks(): AsyncIterable<TransitionBlock>;
}

/**
 * @param most Maximum number of transitions, of which the newest are kept; null for all.
 * @param setting Name of the setting for `most`, for the warning.
 */
export async function readRunData(
  open: OpenDataset,
  spaces: AgentSpaces,
  most: number | null,
  setting: string,
): Promise<RunData> {
  const { dataset, close } = await open();
  try {
    const { source, total_steps, masked } = dataset;
    const layout = masked ? { ...spaces, masked } : spaces;
    const reader = dataset.reader(layout, most ?? MOST_ROWS + 1);
    const { count, notices } = reader;
    const warnings = [...notices];
    if (most !== null && count === most && total_steps > most)
      warnings.push(
        `${setting} is ${most}: of ${total_steps} rows of the data set the newest ${count} are kept`,
      );
    const sums = new WordSums();
    const survey = new DataSurvey(layout, source);
    const all = await reader.sha256((name, words) => {
      sums.add(name, words);
      survey.hear(name, words);
    });
    const { observations } = survey;
    warnings.push(...survey.warnings);
    // Masks do not count, so that runs from before they were read can be resumed.
    const sha256 = masked ? await dataset.reader(spaces, count).sha256() : all;
    const identity = { source, rows: count, sha256 };
    return {
      identity,
      layout,
      warnings,
      observations,
      blocks: () => again(open, { identity, layout, sums }),
    };
  } finally {
    close();
  }
}

/** Reads the rows again. If the file has grown in the meantime, its newest rows differ. */
async function* again(
  open: OpenDataset,
  { identity, layout, sums }: Pick<RunData, "identity" | "layout"> & { readonly sums: WordSums },
): AsyncGenerator<TransitionBlock> {
  const { dataset, close } = await open();
  try {
    const found = new WordSums();
    for await (const block of dataset.reader(layout, identity.rows).blocks()) {
      for (const [name, words] of Object.entries(block.rows)) found.add(name, words);
      toPolicyScale(block.rows.action, layout);
      yield block;
    }
    if (!found.equals(sums))
      throw new DatasetError(
        identity.source,
        "its rows have changed since this run first read them; do not change a data set while a run learns from it",
      );
  } finally {
    close();
  }
}

/**
 * Replay state that assigns the transitions to members' segments in contiguous blocks, as they are read.
 * @param segment Rows of a segment (default: the fewest that hold all transitions).
 */
export function dealt(data: RunData, population: number, segment?: number): ReplayState {
  const { rows } = data.identity;
  const size = segment ?? Math.ceil(rows / population);
  const end = (slot: number): number => Math.min(rows, slot * size);
  return {
    segment: size,
    rings: Array.from({ length: population }, (_, slot) =>
      advance({ position: 0, count: 0 }, size, end(slot + 1) - end(slot)),
    ),
    segments: [],
    priorities: null,
    ...(data.layout.masked && { masked: true as const }),
    dataset: data.identity,
    data: () => parts(data, size),
  };
}

/** Blocks, split at segment boundaries. */
async function* parts(data: RunData, segment: number): AsyncGenerator<Written> {
  let row = 0;
  for await (const { rows, count } of data.blocks()) {
    for (let from = 0; from < count; ) {
      const [slot, start] = [Math.floor(row / segment), row % segment];
      const some = Math.min(count - from, segment - start);
      const cut = some === count ? rows : copyRows(rows, from, from + some);
      yield { slot, start, count: some, rows: cut };
      from += some;
      row += some;
    }
  }
}

/**
 * Writes the transitions to a caller's replay buffer that was laid out for the run, filling one segment after
 * another.
 */
export async function fillFromData(memory: ReplayBuffer, data: RunData): Promise<void> {
  const { rings } = dealt(data, memory.population, memory.segment);
  for await (const part of parts(data, memory.segment)) memory.write(part);
  for (const [slot, ring] of rings.entries()) memory.setRing(slot, ring);
}

/**
 * A saved run's state with the data set that it learned from.
 * @param path Path of the checkpoint, for errors.
 * @throws DatasetError when the data differs from that of the checkpoint.
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
