/** A data set as the replay buffer of a run. */

import type { ReplayBuffer } from "../../agents/classes.ts";
import {
  type AgentState,
  advance,
  copyRows,
  type ReplayArray,
  type RunningStatistics,
} from "../../agents/members.ts";
import {
  type Dataset,
  DatasetError,
  MOST_ROWS,
  type TransitionBlock,
  type TransitionReader,
} from "../../datasets/reading.ts";
import type { AgentSpaces } from "../../rl/spaces.ts";
import { DataSurvey, offlineScale, type PolicyScale, toPolicyScale } from "./dataSurvey.ts";
import { type HoldOut, holdOut, type Split } from "./heldOut.ts";
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

/** Numbers of one field, as they are heard. */
class WordRow {
  readonly words: Float32Array;
  #next = 0;

  constructor(count: number) {
    this.words = new Float32Array(count);
  }

  add(words: ReplayArray): void {
    this.words.set(words, this.#next);
    this.#next += words.length;
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
  readonly split: Split;
  /** Reads the transitions in order. @throws DatasetError if they changed since they were first read. */
  blocks(form?: RowForm): AsyncIterable<TransitionBlock>;
}

/** How rows are stored. */
interface RowForm {
  /** The scale of a Box's actions (default: that of policies that learn from data). */
  readonly policy?: PolicyScale | null;
  /** Whether `ended` is 1 in the last row of every episode (default: only where the reader says so). */
  readonly ends?: true;
}

/**
 * @param most Maximum number of transitions, of which the newest are kept; null for all.
 * @param setting Name of the setting for `most`, for the warning.
 * @param hold What is held out, to judge members (default: nothing).
 */
export async function readRunData(
  open: OpenDataset,
  spaces: AgentSpaces,
  most: number | null,
  setting: string,
  hold: HoldOut | null = null,
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
    const kept = { reward: new WordRow(hold ? count : 0), ended: new WordRow(hold ? count : 0) };
    const all = await reader.sha256((name, words) => {
      sums.add(name, words);
      survey.hear(name, words);
      if (hold && (name === "reward" || name === "ended")) kept[name].add(words);
    });
    const split = hold
      ? holdOutIn(source, kept.reward.words, withEnds(dataset, reader, kept.ended.words), hold)
      : { placements: [{ count, start: 0 }], taught: count };
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
      split,
      blocks: (form = {}) => again(open, { identity, layout, sums }, form),
    };
  } finally {
    close();
  }
}

/** The rows that end an episode, those included after which the next row follows in the replay buffer all the same. */
function withEnds(dataset: Dataset, reader: TransitionReader, ended: Float32Array): Float32Array {
  for (const row of lastRows(dataset, reader)) ended[row] = 1;
  return ended;
}

/** The last row of each episode. Rows that are left out mark the ends of their episodes themselves. */
function lastRows(dataset: Dataset, { skipped, count }: TransitionReader): number[] {
  if (skipped + count !== dataset.total_steps) return [];
  const last: number[] = [];
  let row = -skipped - 1;
  for (const { steps } of dataset.episodes()) if ((row += steps) >= 0) last.push(row);
  return last;
}

function holdOutIn(source: string, ...given: Parameters<typeof holdOut>): Split {
  try {
    return holdOut(...given);
  } catch (error) {
    throw error instanceof RangeError ? new DatasetError(source, error.message) : error;
  }
}

/** Reads the rows again. If the file has grown in the meantime, its newest rows differ. */
async function* again(
  open: OpenDataset,
  { identity, layout, sums }: Pick<RunData, "identity" | "layout"> & { readonly sums: WordSums },
  { policy = offlineScale(layout), ends }: RowForm,
): AsyncGenerator<TransitionBlock> {
  const { dataset, close } = await open();
  try {
    const found = new WordSums();
    const reader = dataset.reader(layout, identity.rows);
    const last = new Set(ends ? lastRows(dataset, reader) : []);
    let first = 0;
    for await (const block of reader.blocks()) {
      for (const [name, words] of Object.entries(block.rows)) found.add(name, words);
      toPolicyScale(block.rows.action, policy);
      for (let row = 0; last.size > 0 && row < block.count; row++)
        if (last.has(first + row)) block.rows.ended[row] = 1;
      first += block.count;
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

/** What a replay state says of the data set that it holds. */
export const fromData = ({ identity, split: { held } }: RunData): Pick<ReplayState, "dataset" | "held"> => ({
  dataset: identity,
  ...(held && { held }),
});

/**
 * Replay state that assigns the transitions to members' segments in contiguous blocks, as they are read.
 * @param segment Rows of a segment (default: the fewest that hold all transitions).
 */
export function dealt(data: RunData, population: number, segment?: number): ReplayState {
  const { rows } = data.identity;
  const { taught } = data.split;
  const size = segment ?? Math.ceil(rows / population);
  const end = (slot: number): number => Math.min(taught, slot * size);
  return {
    segment: size,
    rings: Array.from({ length: population }, (_, slot) =>
      advance({ position: 0, count: 0 }, size, end(slot + 1) - end(slot)),
    ),
    segments: [],
    priorities: null,
    ...(data.layout.masked && { masked: true as const }),
    ...fromData(data),
    data: () => parts(data, size),
  };
}

/** Blocks, split at boundaries of segments and of rows that are placed together. */
async function* parts(data: RunData, segment: number): AsyncGenerator<Written> {
  const { placements } = data.split;
  let [piece, done] = [0, 0];
  for await (const { rows, count } of data.blocks()) {
    for (let from = 0; from < count; ) {
      const placed = placements[piece];
      if (!placed) throw new DatasetError(data.identity.source, "has more rows than when it was first read");
      const row = placed.start + done;
      const [slot, start] = [Math.floor(row / segment), row % segment];
      const some = Math.min(count - from, segment - start, placed.count - done);
      const cut = some === count ? rows : copyRows(rows, from, from + some);
      yield { slot, start, count: some, rows: cut };
      from += some;
      done += some;
      if (done === placed.count) [piece, done] = [piece + 1, 0];
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
