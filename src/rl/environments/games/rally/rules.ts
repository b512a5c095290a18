import { Box, Discrete } from "../../../spaces.ts";
import { CHANCE, type ChanceOutcome, type GameRules, type GameState } from "../../face/GameRules.ts";
import { PLAYERS } from "../boards.ts";

/** The court, in cells: the first player's paddle is in column 0, the second one's in the last. */
export const COURT = { rows: 11, cols: 15 } as const;
/** Row and column of the last cell; rows count from the bottom. */
export const [TOP, FAR] = [COURT.rows - 1, COURT.cols - 1] as const;
/** Cells of a paddle on each side of its middle. */
export const REACH = 1;
/** Most rows that the ball moves in a tick. */
export const MAX_SPEED = 2;
export const [STAY, UP, DOWN] = [0, 1, 2] as const;
/** Both players' moves of 200 ticks. */
const MAX_MOVES = 400;
/** Directions to both players, each with three slopes. */
export const SERVES = 6;
/** Column of a ball that is not served yet. */
const UNSERVED = -1;

export type Observed = "picture" | "vector";

/** States: the ball's column and row, its speed in both directions, both paddles, the first player's move, and the mover. */
type Parts = readonly [
  x: number,
  y: number,
  speedX: number,
  speedY: number,
  left: number,
  right: number,
  wish: number,
  mover: number,
];
const partsOf = (state: GameState): Parts => state as Parts;

const OUTCOMES: readonly ChanceOutcome[] = Array.from({ length: SERVES }, (_, serve) => [serve, 1 / SERVES]);

const limited = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
const moved = (paddle: number, action: number): number =>
  limited(paddle + Number(action === UP) - Number(action === DOWN), REACH, TOP - REACH);
/** A row between the walls. */
const reflected = (row: number): number => TOP - Math.abs(TOP - Math.abs(row));

/** The player who missed the ball; null while it is in play. */
function missedBy(state: GameState): number | null {
  const [x, , speedX] = partsOf(state);
  if (x === 0 && speedX < 0) return 0;
  return x === FAR && speedX > 0 ? 1 : null;
}

/** Both paddles move by a row, then the ball. A paddle returns it, with a slope that changes by where it is hit. */
function ticked(state: GameState, second: number): GameState {
  const [x, y, speedX, speedY, left, right, wish] = partsOf(state);
  const paddles = [moved(left, wish), moved(right, second)] as const;
  const column = x + speedX;
  const raw = y + speedY;
  const row = reflected(raw);
  const slope = raw < 0 || raw > TOP ? -speedY : speedY;
  const offset = row - (column === 0 ? paddles[0] : paddles[1]);
  const hits = (column === 0 || column === FAR) && Math.abs(offset) <= REACH;
  const speed = hits ? [-speedX, limited(slope + offset, -MAX_SPEED, MAX_SPEED)] : [speedX, slope];
  // The zero of a product would have a sign.
  return [column, row, ...speed.map((value) => value + 0), ...paddles, STAY, 0];
}

function vectorOf(state: GameState, player: number): number[] {
  const [x, y, speedX, speedY, left, right] = partsOf(state);
  const [column, direction] = player === 0 ? [x, speedX] : [FAR - x, -speedX];
  const [own, other] = player === 0 ? [left, right] : [right, left];
  const scaled = (value: number, most: number) => Math.fround(value * Math.fround(1 / most));
  return [
    scaled(own, TOP),
    scaled(other, TOP),
    scaled(column, FAR),
    scaled(y, TOP),
    direction,
    scaled(speedY, MAX_SPEED),
  ];
}

/** Planes: the own paddle, the other one, the ball, and the ball after the next tick. The own paddle is on the left. */
function pictureOf(state: GameState, player: number): number[] {
  const [x, y, speedX, speedY, left, right] = partsOf(state);
  const [own, other] = player === 0 ? [left, right] : [right, left];
  const seen = (column: number) => (player === 0 ? column : FAR - column);
  return Array.from({ length: COURT.rows * COURT.cols }, (_, cell) => {
    const [row, col] = [TOP - Math.floor(cell / COURT.cols), cell % COURT.cols];
    return [
      col === 0 && Math.abs(row - own) <= REACH,
      col === FAR && Math.abs(row - other) <= REACH,
      col === seen(x) && row === y,
      col === seen(x + speedX) && row === reflected(y + speedY),
    ].map(Number);
  }).flat();
}

/**
 * Rally: two paddles and a ball, in the manner of Pong. Both players move at the same time; as turns, the first player's
 * move is hidden from the second one until both have moved. Who misses the ball loses.
 */
export const rallyRules = (observed: Observed): GameRules => ({
  id: "rlkit/Rally",
  players: PLAYERS,
  observation_space:
    observed === "vector"
      ? new Box({ low: -1, high: 1, shape: [6] })
      : new Box({ low: 0, high: 1, shape: [COURT.rows, COURT.cols, 4] }),
  action_space: new Discrete(3),
  max_moves: MAX_MOVES,
  ticks_per_second: 8,
  start: [UNSERVED, TOP / 2, 0, 0, TOP / 2, TOP / 2, STAY, 0],
  player(state) {
    const [x, , , , , , , mover] = partsOf(state);
    return x === UNSERVED ? CHANCE : mover;
  },
  legal: (state) => (state[0] === UNSERVED || missedBy(state) !== null ? [] : [STAY, UP, DOWN]),
  chance: () => OUTCOMES,
  next(state, action) {
    const [x, y, speedX, speedY, left, right, , mover] = partsOf(state);
    if (x === UNSERVED) return [FAR / 2, y, action < 3 ? -1 : 1, (action % 3) - 1, left, right, STAY, 0];
    return mover === 0 ? [x, y, speedX, speedY, left, right, action, 1] : ticked(state, action);
  },
  returns(state) {
    const missed = missedBy(state);
    if (missed === null) return null;
    return missed === 0 ? [-1, 1] : [1, -1];
  },
  observe: observed === "vector" ? vectorOf : pictureOf,
  own_rule: {
    name: "follow",
    move(state) {
      const [, y, , , left, right, , mover] = partsOf(state);
      const paddle = mover === 0 ? left : right;
      return y > paddle ? UP : y < paddle ? DOWN : STAY;
    },
  },
  seenBy: (state, player) => (player === 1 ? [...state.slice(0, 6), STAY, ...state.slice(7)] : state),
  actionName: (action) => ["stay", "up", "down"][action] ?? `${action}`,
});
