/** Transitions of a data set as rows of a replay memory. */
import { actionType } from "../rl/contract/choices.ts";
import { replayFields } from "../rl/programs/replayFields.ts";
import { isPacked, rowWords } from "../rl/programs/rowLayout.ts";
import { eachField, emptyRows, firstNoByte, packRows, type ReplayRows } from "../rl/runtime/replayRows.ts";
import type { AgentSpaces } from "../rl/spaces/index.ts";
import { sha256Hasher } from "../storage/sha256.ts";
import { DatasetError } from "./DatasetError.ts";
import type { Elements } from "./Elements.ts";

/** Rows side by side whose transitions are read together. */
export interface Stretch {
  /** Where it lies, for messages. */
  readonly place: string;
  /** Its transitions, and which of the tables' rows they are: `from` up to before `to`, without those left out. */
  readonly from: number;
  readonly to: number;
  /** 1 for each row of the stretch that is a transition; null where all are. */
  readonly kept: Uint8Array | null;
  readonly observations: Elements;
  /** Its rows stand beside those of the observations; null where the next observation is the next row. */
  readonly next_observations: Elements | null;
  readonly actions: Elements;
  readonly rewards: Elements;
  /** Whether the task ended, of every row; a time limit is no end. */
  readonly terminations: Elements;
  /** Whether the last row ends an episode. */
  readonly ends: boolean;
}

export const keptRows = ({ from, to, kept }: Stretch): number =>
  kept ? kept.reduce((sum, is) => sum + is, 0) : to - from;

/** The most rows that a memory numbers exactly. */
export const MOST_ROWS = 2 ** 24;

/**
 * The newest transitions of stretches, in order.
 * @param most How many at most.
 * @throws DatasetError for a number that cannot be kept, naming its row; and where there is no transition.
 */
export async function readTransitions(
  stretches: readonly Stretch[],
  layout: AgentSpaces,
  most: number,
  source: string,
): Promise<{ readonly rows: ReplayRows; readonly count: number }> {
  const all = stretches.reduce((sum, stretch) => sum + keptRows(stretch), 0);
  if (all === 0) throw new DatasetError(source, "found no transitions, allowed one or more");
  const count = Math.min(all, most);
  if (count > MOST_ROWS)
    throw new DatasetError(
      source,
      `found ${all} transitions, allowed at most ${MOST_ROWS}; set replay_buffer.max_size to keep the newest`,
    );
  const fields = replayFields(layout);
  const rows = emptyRows(fields, count);
  let at = count - all;
  for (const stretch of stretches) {
    const kept = keptRows(stretch);
    if (at + kept > 0) {
      const read = await readStretch(stretch, layout);
      const skip = Math.max(0, -at);
      for (const name of Object.keys(rows) as (keyof ReplayRows)[]) {
        const width = rowWords(fields[name]);
        rows[name].set(read[name].subarray(skip * width), (at + skip) * width);
      }
    }
    at += kept;
  }
  return { rows, count };
}

async function readStretch(stretch: Stretch, layout: AgentSpaces): Promise<ReplayRows> {
  const { from, to, kept, observations, next_observations, actions, rewards, terminations, ends } = stretch;
  const fields = replayFields(layout);
  const width = fields.obs.shape.reduce((product, n) => product * n, 1);
  const seen = await observations.read(from, next_observations ? to : to + 1);
  const next = next_observations
    ? await next_observations.read(from, to)
    : seen.subarray(width, (to - from + 1) * width);
  const isChoice = actionType(layout.action_space) === "i32";
  const action = isChoice ? await actions.readChoices(from, to) : await actions.read(from, to);
  const done = await terminations.read(from, to);
  const ended = new Float32Array(to - from);
  // What was left out breaks the sequence of steps too.
  for (let i = 0; i < ended.length; i++)
    if (done[i] !== 0 || (kept && kept[i + 1] !== 1) || (ends && i === ended.length - 1)) ended[i] = 1;
  const whole = {
    obs: seen.subarray(0, (to - from) * width),
    next_obs: next,
    action,
    reward: await rewards.read(from, to),
    done: done.map((value) => (value === 0 ? 0 : 1)),
    ended,
  };
  return eachField((name) => {
    const field = fields[name];
    const numbers = kept ? keptOf(whole[name], kept) : whole[name];
    if (!isPacked(field)) return numbers;
    const fault = firstNoByte(numbers, field);
    if (fault !== undefined)
      throw new DatasetError(stretch.place, `found ${fault} in an observation of bytes, allowed 0 to 255`);
    return packRows(numbers, field);
  });
}

/** The rows that are kept, one after another. */
function keptOf<T extends Float32Array | Int32Array>(numbers: T, kept: Uint8Array): T {
  const width = numbers.length / kept.length;
  const out = numbers.slice(0, kept.reduce((sum, is) => sum + is, 0) * width) as T;
  let at = 0;
  for (const [row, is] of kept.entries()) {
    if (is !== 1) continue;
    out.set(numbers.subarray(row * width, (row + 1) * width) as T, at);
    at += width;
  }
  return out;
}

/** SHA-256 of rows, field after field as they lie in memory. */
export function hashRows(rows: ReplayRows): string {
  const hasher = sha256Hasher();
  for (const name of Object.keys(rows) as (keyof ReplayRows)[]) {
    const { buffer, byteOffset, byteLength } = rows[name];
    hasher.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hasher.digest();
}
