/** A match in words. */
import { formatThings } from "../lib/format.ts";
import { type Match, moverOf, returnsOf } from "./match.ts";

/** Rules by the names of their opponents. */
export const RULE_NAMES = {
  random: "Random moves",
  one_step: "One-step rule",
  follow: "Rule that follows the ball",
  hold_at_20: "Rule that holds at 20",
} as const;

/** How the match stands, or how it ended. */
export function matchText(match: Match): string {
  const { rules, seat, state, turns } = match;
  const returns = returnsOf(match);
  if (returns === null) return moverOf(match) === seat ? "Your turn." : "The opponent's turn…";
  return resultText(returns[seat] ?? 0, turns.length, rules.returns(state) === null);
}

/** How a game ended. @param own What the user got. @param isCut Whether it reached its most moves. */
export function resultText(own: number, moves: number, isCut: boolean): string {
  const after = `after ${formatThings(moves, "move")}`;
  if (own === 0) return isCut ? `A draw: the game is cut ${after}.` : `A draw ${after}.`;
  const size = Math.abs(own) === 1 ? "" : ` ${Number(Math.abs(own).toFixed(2))}`;
  return own > 0 ? `You win${size} ${after}.` : `You lose${size} ${after}.`;
}

/** A rating of an action, as short as a cell. */
export const ratingText = (kind: "probability" | "return", value: number): string =>
  kind === "probability" ? `${Math.round(100 * value)}%` : value.toFixed(2).replace(/^-0\.00$/, "0.00");
