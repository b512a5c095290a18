/** Consecutive rows of a data set, and the replay buffer fields made from them. */
import { besides, firstNoByte, packRows, type ReplayRows } from "../agents/members.ts";
import { actionType } from "../rl/contract.ts";
import { isPacked, keptMask, type ReplayFieldName, replayFields } from "../rl/programs.ts";
import { type AgentSpaces, elementSize } from "../rl/spaces.ts";
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
  /** Masks of `observations` and `next_observations`, likewise; null unless the layout has masks. */
  readonly masks: Elements | null;
  readonly next_masks: Elements | null;
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
  const { from, to, kept, actions, rewards, terminations, ends } = stretch;
  const count = to - from;
  const done = once(() => terminations.read(from, to));
  /** Rows before and after each step, from a table and that of the rows after, if there is one. */
  const pairOf = (table: Elements, after: Elements | null, width: number) => {
    const all = once(() => table.read(from, after ? to : Math.min(to + 1, table.rows)));
    return {
      before: async () => (await all()).subarray(0, count * width),
      after: async () => after?.read(from, to) ?? successors(await all(), width, count),
    };
  };
  const seen = pairOf(stretch.observations, stretch.next_observations, elementSize(layout.observation_space));
  const legal = stretch.masks && pairOf(stretch.masks, stretch.next_masks, keptMask(layout));
  return {
    obs: async () =>
      legal
        ? besides(await seen.before(), choosable(await legal.before(), stretch, null), count)
        : seen.before(),
    action: () =>
      actionType(layout.action_space) === "i32" ? actions.readChoices(from, to) : actions.read(from, to),
    reward: () => rewards.read(from, to),
    next_obs: async () =>
      legal
        ? besides(await seen.after(), choosable(await legal.after(), stretch, await done()), count)
        : seen.after(),
    done: async () => (await done()).map((value) => (value === 0 ? 0 : 1)),
    ended: async () =>
      // A row that is left out also breaks the sequence of steps.
      (await done()).map((value, i) =>
        value !== 0 || (kept && kept[i + 1] !== 1) || (ends && i === count - 1) ? 1 : 0,
      ),
  };
}

/**
 * The masks of a stretch, with ones where the task ended and no choice is legal.
 * @throws DatasetError naming another row without a legal choice.
 */
function choosable(
  masks: Float32Array,
  { place, from, kept, to }: Stretch,
  done: Numbers | null,
): Float32Array {
  const choices = masks.length / (to - from);
  const out = masks.slice();
  for (let row = 0; row < to - from; row++) {
    const own = out.subarray(row * choices, (row + 1) * choices);
    if (own.includes(1)) continue;
    if (!done?.[row] && kept?.[row] !== 0)
      throw new DatasetError(
        place,
        `row ${from + row}: found a mask without a legal choice, allowed one or more`,
      );
    own.fill(1);
  }
  return out;
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
