/** Games as text: lists of moves by their names. */
import { type GameRules, type GameState, requireLegal } from "../face/GameRules.ts";
import { isChance } from "./ruleMoves.ts";

/** A game from its start: actions and outcomes of chance in order, and the state after them. */
export interface PlayedGame {
  readonly moves: readonly number[];
  readonly state: GameState;
}

/** Marks outcomes of chance, such as `*3`. */
const CHANCE_MARK = "*";

/**
 * Writes a game as the names of its moves, with spaces between them. Outcomes of chance are numbers after `*`.
 * @param moves Actions and outcomes of chance from the start of a game.
 * @throws RangeError at the first move that is not legal.
 */
export function writeMoves(rules: GameRules, moves: readonly number[]): string {
  let state = rules.start;
  const names = moves.map((move) => {
    const drawn = isChance(rules, state);
    if (!drawn) requireLegal(rules, state, move);
    state = rules.next(state, move);
    return drawn ? `${CHANCE_MARK}${move}` : rules.actionName(move);
  });
  return names.join(" ");
}

/**
 * Reads what {@link writeMoves} writes; any white space separates moves.
 * @throws RangeError naming the move by its number from 1, what was found, and which moves were legal.
 */
export function readMoves(rules: GameRules, text: string): PlayedGame {
  let state = rules.start;
  const moves: number[] = [];
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    const drawn = isChance(rules, state);
    const allowed = drawn
      ? (rules.chance?.(state) ?? []).map(([outcome]) => [outcome, `${CHANCE_MARK}${outcome}`] as const)
      : rules.legal(state).map((action) => [action, rules.actionName(action)] as const);
    const found = allowed.find(([, name]) => name === word);
    if (!found) {
      const names = allowed.map(([, name]) => name).join(", ");
      throw new RangeError(
        `${rules.id}: move ${moves.length + 1}: found "${word}", allowed ${names || "none: the game has ended"}`,
      );
    }
    moves.push(found[0]);
    state = rules.next(state, found[0]);
  }
  return { moves, state };
}
