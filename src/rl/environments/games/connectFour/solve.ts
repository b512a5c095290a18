/** Exact values of positions of Connect Four, by search. */
import type { GameState } from "../../face/GameRules.ts";
import {
  columnBits,
  countBits,
  isLow,
  type Position,
  playableHigh,
  playableLow,
  positionOf,
  threatsHigh,
  threatsLow,
} from "./bits.ts";
import { CELLS, connectFour } from "./rules.ts";

/** Columns from the centre outwards, the order in which equally good moves are tried. */
const COLUMNS = [3, 2, 4, 1, 5, 0, 6];
const ENTRIES = 1 << 20;

/** What searches have found: pass it on to find the values of related positions sooner. It takes 9 MiB. */
export class SolutionTable {
  readonly #low = new Int32Array(ENTRIES);
  readonly #high = new Int32Array(ENTRIES);
  /** For goals 0 and 1, two bits each: 1 if the goal is known to be reached, 2 if it is known not to be. */
  readonly #known = new Uint8Array(ENTRIES);

  #index(low: number, high: number): number {
    const mixed = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca77);
    return (mixed ^ (mixed >>> 15)) & (ENTRIES - 1);
  }

  /** @internal */
  find(low: number, high: number, goal: number): boolean | null {
    const index = this.#index(low, high);
    if (this.#low[index] !== low || this.#high[index] !== high) return null;
    const known = ((this.#known[index] ?? 0) >> (2 * goal)) & 3;
    return known === 0 ? null : known === 1;
  }

  /** @internal */
  keep(low: number, high: number, goal: number, reached: boolean): void {
    const index = this.#index(low, high);
    const isSame = this.#low[index] === low && this.#high[index] === high;
    this.#low[index] = low;
    this.#high[index] = high;
    this.#known[index] = (isSame ? (this.#known[index] ?? 0) : 0) | ((reached ? 1 : 2) << (2 * goal));
  }
}

/** Whether the player on move gets at least `goal`, 0 or 1. It has no stone that wins at once. */
function reaches(
  { ownLow, ownHigh, allLow, allHigh, stones }: Position,
  goal: number,
  table: SolutionTable,
): boolean {
  const [otherLow, otherHigh] = [ownLow ^ allLow, ownHigh ^ allHigh];
  const [threatLow, threatHigh] = [threatsLow(otherLow, otherHigh), threatsHigh(otherLow, otherHigh)];
  let [low, high] = [playableLow(allLow), playableHigh(allHigh)];
  const [forcedLow, forcedHigh] = [low & threatLow, high & threatHigh];
  const forced = countBits(forcedLow) + countBits(forcedHigh);
  if (forced > 1) return false;
  if (forced === 1) [low, high] = [forcedLow, forcedHigh];
  // A stone below a cell with which the opponent wins loses.
  low &= ~(threatLow >>> 1);
  high &= ~(threatHigh >>> 1);
  if ((low | high) === 0) return false;
  if (stones >= CELLS - 2) return goal <= 0;

  const [keyLow, keyHigh] = [ownLow + allLow, ownHigh + allHigh];
  const known = table.find(keyLow, keyHigh, goal);
  if (known !== null) return known;
  const moves: { readonly low: number; readonly high: number; readonly threats: number }[] = [];
  for (const column of COLUMNS) {
    const bits = columnBits(column);
    const [moveLow, moveHigh] = isLow(column) ? [low & bits, 0] : [0, high & bits];
    if ((moveLow | moveHigh) === 0) continue;
    const [nextLow, nextHigh] = [ownLow | moveLow, ownHigh | moveHigh];
    const threats =
      countBits(threatsLow(nextLow, nextHigh) & ~allLow) +
      countBits(threatsHigh(nextLow, nextHigh) & ~allHigh);
    let place = moves.length;
    while (place > 0 && (moves[place - 1]?.threats ?? 0) < threats) place--;
    moves.splice(place, 0, { low: moveLow, high: moveHigh, threats });
  }
  const reached = moves.some(
    (move) =>
      !reaches(
        {
          ownLow: otherLow,
          ownHigh: otherHigh,
          allLow: allLow | move.low,
          allHigh: allHigh | move.high,
          stones: stones + 1,
        },
        1 - goal,
        table,
      ),
  );
  table.keep(keyLow, keyHigh, goal, reached);
  return reached;
}

/**
 * What the player whose turn it is gets if both play perfectly: 1, 0 or -1. Of an ended game: what that player gets. With
 * 16 stones or more, most positions take less than 0.1 seconds; each stone less makes the search about twice as long.
 */
export function solve(state: GameState, table = new SolutionTable()): number {
  const returns = connectFour.returns(state);
  if (returns) return returns[connectFour.player(state)] ?? 0;
  const position = positionOf(state);
  const { ownLow, ownHigh, allLow, allHigh } = position;
  const wins =
    (threatsLow(ownLow, ownHigh) & playableLow(allLow)) |
    (threatsHigh(ownLow, ownHigh) & playableHigh(allHigh));
  if (wins !== 0 || reaches(position, 1, table)) return 1;
  return reaches(position, 0, table) ? 0 : -1;
}

/** The value of each legal action for the player whose turn it is, by {@link solve}. */
export const solvedActions = (state: GameState, table = new SolutionTable()): ReadonlyMap<number, number> =>
  new Map(
    connectFour.legal(state).map((column) => [column, 0 - solve(connectFour.next(state, column), table)]),
  );
