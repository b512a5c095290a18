/** Counts of a game's tree, as chess programs count moves to check their rules. */
import { CHANCE, type GameRules, type GameState } from "../../../../../src/rl/environments/face/GameRules.ts";

/** Number of sequences of `plies` moves from a state; shorter games do not count. */
export function sequences(rules: GameRules, plies: number, state: GameState = rules.start): number {
  if (plies === 0) return 1;
  if (rules.returns(state) !== null) return 0;
  const moves =
    rules.player(state) === CHANCE
      ? (rules.chance?.(state) ?? []).map(([outcome]) => outcome)
      : rules.legal(state);
  return moves.reduce((sum, move) => sum + sequences(rules, plies - 1, rules.next(state, move)), 0);
}

/** Number of whole games, by what the first player gets. */
export function wholeGames(rules: GameRules, state: GameState = rules.start): ReadonlyMap<number, number> {
  const returns = rules.returns(state);
  if (returns) return new Map([[returns[0] ?? 0, 1]]);
  const counts = new Map<number, number>();
  for (const move of rules.legal(state))
    for (const [result, count] of wholeGames(rules, rules.next(state, move)))
      counts.set(result, (counts.get(result) ?? 0) + count);
  return counts;
}
