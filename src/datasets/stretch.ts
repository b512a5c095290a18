/** Consecutive rows of a data set, and the replay buffer fields made from them. */
import { firstNoByte, packRows, type ReplayRows } from "../agents/members.ts";
import { actionType } from "../rl/contract.ts";
import { isPacked, numbersIn, type ReplayFieldName, replayFields } from "../rl/programs.ts";
import type { AgentSpaces } from "../rl/spaces.ts";
import { DatasetError } from "./DatasetError.ts";
import type { Elements } from "./Elements.ts";

/** Consecutive rows whose transitions are read together. */
export interface Stretch {
  /** Location for messages. */
  readonly place: string;
  /** Range of table rows: `from` (inclusive) to `to` (exclusive). `kept` may exclude some of them. */
  readonly from: number;
  readonly to: number;
  /** 1 for each row of the stretch that is a transition; `null` if all are. */
  readonly kept: Uint8Array | null;
  readonly observations: Elements;
  /** Aligned with the rows of `observations`; `null` if the next observation is the next row. */
  readonly next_observations: Elements | null;
  readonly actions: Elements;
  readonly rewards: Elements;
  /** Whether the task ended, for every row. A time limit does not count. */
  readonly terminations: Elements;
  /** Whether the last row ends an episode. */
  readonly ends: boolean;
}

export const keptRows = ({ from, to, kept }: Stretch): number =>
  kept ? kept.reduce((sum, is) => sum + is, 0) : to - from;

type Numbers = Float32Array | Int32Array;

/** Caches the result of the first call. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | null = null;
  return () => {
    found ??= read();
    return found;
  };
}

/** Readers of a stretch's fields, before rows are left out. Each reads only the tables that it needs. */
function fieldsOf(
  stretch: Stretch,
  layout: AgentSpaces,
): Readonly<Record<ReplayFieldName, () => Promise<Numbers>>> {
  const { from, to, kept, observations, next_observations, actions, rewards, terminations, ends } = stretch;
  const width = numbersIn(replayFields(layout).obs.shape);
  const seen = once(() =>
    observations.read(from, next_observations ? to : Math.min(to + 1, observations.rows)),
  );
  const done = once(() => terminations.read(from, to));
  return {
    obs: async () => (await seen()).subarray(0, (to - from) * width),
    action: () =>
      actionType(layout.action_space) === "i32" ? actions.readChoices(from, to) : actions.read(from, to),
    reward: () => rewards.read(from, to),
    next_obs: async () => next_observations?.read(from, to) ?? successors(await seen(), width, to - from),
    done: async () => (await done()).map((value) => (value === 0 ? 0 : 1)),
    ended: async () =>
      // A row that is left out also breaks the sequence of steps.
      (await done()).map((value, i) =>
        value !== 0 || (kept && kept[i + 1] !== 1) || (ends && i === to - from - 1) ? 1 : 0,
      ),
  };
}

/** Each row's next one. The table's last row, which is kept only where the task ended, stands for its own. */
function successors(seen: Float32Array, width: number, count: number): Float32Array {
  if (seen.length > count * width) return seen.subarray(width);
  const out = new Float32Array(count * width);
  out.set(seen.subarray(width));
  out.set(seen.subarray(-width), (count - 1) * width);
  return out;
}

/**
 * Reads some fields of a stretch's transitions, in the format of a replay buffer.
 * @throws DatasetError naming the row of a number that cannot be stored.
 */
export async function readStretch<Name extends ReplayFieldName>(
  stretch: Stretch,
  layout: AgentSpaces,
  names: readonly Name[],
): Promise<Pick<ReplayRows, Name>> {
  const read = fieldsOf(stretch, layout);
  const fields = replayFields(layout);
  const rows: Partial<Record<Name, ReplayRows[Name]>> = {};
  for (const name of names) {
    const whole = await read[name]();
    const numbers = stretch.kept ? keptOf(whole, stretch.kept) : whole;
    const field = fields[name];
    const fault = isPacked(field) ? firstNoByte(numbers, field) : undefined;
    if (fault !== undefined)
      throw new DatasetError(stretch.place, `found ${fault} in an observation of bytes, allowed 0 to 255`);
    rows[name] = isPacked(field) ? packRows(numbers, field) : numbers;
  }
  // All requested fields are set by now.
  return rows as Pick<ReplayRows, Name>;
}

/** Only the kept rows. */
function keptOf<T extends Numbers>(numbers: T, kept: Uint8Array): T {
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
