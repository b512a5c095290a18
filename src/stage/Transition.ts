/**
 * How one cast replaces another. At a generation's end ranks settle, those without heirs fall away, and winners split with
 * a thread to their copies, on which the mutation flashes in words. Where nobody has an heir, the tiles only fade.
 */
import type { Rectangle } from "./tileGrid.ts";

/** Durations, milliseconds: of a generation's end, and of any other change. */
const SELECTION = 1500;
const FADE = 400;

/** Parts of the scene, as fractions of its duration: from, to. */
const SETTLE = [0, 0.3] as const;
const GREY = [0.12, 0.32] as const;
const FALL = [0.3, 0.6] as const;
const SPLIT = [0.46, 0.82] as const;
const WORDS = [0.62, 0.72] as const;
/** Threads fade at the end. */
const LOOSEN = [0.86, 1] as const;
/** When the champion of the ended generation is framed. */
const CROWN = 0.3;
/** Distance that a tile falls, as multiples of its height, and its greatest turn, radians. */
const DEPTH = 1.5;
const TURN = 0.14;

/** A tile of the previous cast. */
export interface Leaver {
  readonly place: Rectangle;
  /** Where its rank puts it. */
  readonly seat: Rectangle;
  /** Whether it or a copy of it is in the next cast. */
  readonly stays: boolean;
}

/** A tile of the next cast. */
export interface Arrival {
  readonly place: Rectangle;
  /** Index of the tile that it comes from; null for none. */
  readonly from: number | null;
  /** What is new about it, in words; null for nothing. */
  readonly note: string | null;
}

/** All that changes when one cast replaces another. */
export interface Change {
  readonly leavers: readonly Leaver[];
  readonly arrivals: readonly Arrival[];
  /** Index of the best leaver; null if nobody was evaluated. */
  readonly champion: number | null;
}

/** A piece of the previous picture. */
export interface Stroke {
  readonly source: Rectangle;
  readonly target: Rectangle;
  readonly opacity: number;
  /** 0: unchanged; 1: without colour. */
  readonly grey: number;
  /** Turn around its centre, radians. */
  readonly turn: number;
}

/** A line from a parent to its copy, between the centres of tiles. */
export interface Thread {
  readonly from: Rectangle;
  readonly to: Rectangle;
  readonly opacity: number;
}

/** Words on a tile. */
export interface Words {
  readonly place: Rectangle;
  readonly text: string;
  readonly opacity: number;
}

/** A moment of the transition, lowest first. */
export interface Moment {
  readonly strokes: readonly Stroke[];
  readonly threads: readonly Thread[];
  /** Copies on their way from their parents. */
  readonly copies: readonly Stroke[];
  readonly words: readonly Words[];
  /** Tile that the champion's frame is around; null for none. */
  readonly champion: Rectangle | null;
}

/** Smoothstep: slow at both ends. */
const eased = (t: number): number => t * t * (3 - 2 * t);
const part = (t: number, [from, to]: readonly [number, number]): number =>
  Math.min(1, Math.max(0, (t - from) / (to - from)));

const between = (a: Rectangle, b: Rectangle, t: number): Rectangle => ({
  x: a.x + (b.x - a.x) * t,
  y: a.y + (b.y - a.y) * t,
  width: a.width + (b.width - a.width) * t,
  height: a.height + (b.height - a.height) * t,
});

const isSame = (a: Rectangle, b: Rectangle): boolean => a.x === b.x && a.y === b.y;

/** Whether an arrival leaves the seat of the tile that it comes from: a copy beside the one that inherits the seat. */
const moves = ({ place, from }: Arrival, leavers: readonly Leaver[]): boolean => {
  const seat = from === null ? undefined : leavers[from]?.seat;
  return seat !== undefined && !isSame(seat, place);
};

/** Whether members were selected, rather than exchanged for others or left as they are. */
const isSelection = ({ leavers, arrivals }: Change): boolean =>
  arrivals.some((one) => one.from !== null && (one.note !== null || moves(one, leavers))) ||
  leavers.some(({ place, seat, stays }) => stays && !isSame(place, seat));

/** Whether there is anything to see. */
export const isVisible = (change: Change): boolean =>
  isSelection(change) || change.leavers.some(({ stays }) => !stays);

/** Milliseconds that a change takes. */
export const durationOf = (change: Change): number => (isSelection(change) ? SELECTION : FADE);

function fallen({ place, seat, stays }: Leaver, t: number, side: number): Stroke {
  const at = between(place, seat, eased(part(t, SETTLE)));
  if (stays) return { source: place, target: at, opacity: 1, grey: 0, turn: 0 };
  const fall = part(t, FALL);
  return {
    source: place,
    target: { ...at, y: at.y + DEPTH * at.height * fall * fall },
    opacity: 1 - fall,
    grey: part(t, GREY),
    turn: side * TURN * fall,
  };
}

/** @param t 0 to 1. */
export function momentAt(change: Change, t: number): Moment {
  const { leavers, arrivals, champion } = change;
  if (!isSelection(change)) {
    const faded = (place: Rectangle): Stroke => {
      const grey = part(t, [0, 0.6]);
      return { source: place, target: place, opacity: 1 - 0.7 * grey, grey, turn: 0 };
    };
    const strokes = leavers.map(({ place, stays }) =>
      stays ? { source: place, target: place, opacity: 1, grey: 0, turn: 0 } : faded(place),
    );
    return { strokes, threads: [], copies: [], words: [], champion: null };
  }
  const tiles = leavers.map((leaver, index) => ({
    leaver,
    stroke: fallen(leaver, t, index % 2 === 0 ? 1 : -1),
  }));
  // Those who stay lie above those who fall, and the best above all while they change places.
  tiles.sort((a, b) => Number(a.leaver.stays) - Number(b.leaver.stays) || b.leaver.seat.y - a.leaver.seat.y);
  const way = eased(part(t, SPLIT));
  const copies = arrivals.filter((one) => moves(one, leavers));
  const copied = copies.flatMap(({ place, from }) => {
    const parent = leavers[from ?? -1];
    if (parent === undefined || way === 0) return [];
    const target = between(parent.seat, place, way);
    const opacity = 1 - 0.6 * part(t, LOOSEN);
    return [
      {
        stroke: { source: parent.place, target, opacity: 1, grey: 0, turn: 0 },
        thread: { from: parent.seat, to: target, opacity },
      },
    ];
  });
  const strength = part(t, WORDS);
  const words = arrivals.flatMap(({ place, note }) =>
    note === null || strength === 0 ? [] : [{ place, text: note, opacity: strength }],
  );
  const best = champion === null ? undefined : leavers[champion];
  return {
    strokes: tiles.map(({ stroke }) => stroke),
    threads: copied.map(({ thread }) => thread),
    copies: copied.map(({ stroke }) => stroke),
    words,
    champion: best !== undefined && best.stays && t >= CROWN ? best.seat : null,
  };
}
