/** Players that search a few moves ahead. They learn nothing, so ratings of agents can be anchored at them. */
import type { Random } from "../../../evolution/random.ts";
import type { GameRules, GameState } from "../face/GameRules.ts";

type Estimate = NonNullable<GameRules["heuristic"]>;

const unknown: Estimate = () => 0;

/** What the player whose turn it is gets within `depth` moves: exact between alpha and beta, otherwise a bound. */
function search(
  rules: GameRules,
  state: GameState,
  depth: number,
  [alpha, beta]: readonly [number, number],
  estimate: Estimate,
): number {
  const player = rules.player(state);
  const returns = rules.returns(state);
  if (returns) return returns[player] ?? 0;
  if (depth === 0) return estimate(state, player);
  let best = -Infinity;
  for (const action of rules.legal(state)) {
    const next = rules.next(state, action);
    const floor = Math.max(alpha, best);
    const value =
      rules.player(next) === player
        ? search(rules, next, depth - 1, [floor, beta], estimate)
        : -search(rules, next, depth - 1, [-beta, -floor], estimate);
    best = Math.max(best, value);
    if (best >= beta) break;
  }
  return best;
}

/** Smaller than any difference between values that a search should tell apart. */
const TIE = 1e-9;

function bestAction(
  rules: GameRules,
  state: GameState,
  depth: number,
  random: Random,
  estimate: Estimate,
): number {
  if (rules.players.length !== 2 || rules.chance)
    throw new RangeError(
      `${rules.id}: found ${rules.chance ? "a game with chance" : `${rules.players.length} players`}, allowed games of 2 players without chance`,
    );
  if (!Number.isInteger(depth) || depth < 1)
    throw new RangeError(`${rules.id}: depth: found ${depth}, allowed integers from 1`);
  const player = rules.player(state);
  let best = -Infinity;
  let ties: number[] = [];
  for (const action of rules.legal(state)) {
    const next = rules.next(state, action);
    // Equal moves must have exact values too, so the window begins just below the best one.
    const floor = best - TIE;
    const value =
      rules.player(next) === player
        ? search(rules, next, depth - 1, [floor, Infinity], estimate)
        : -search(rules, next, depth - 1, [-Infinity, -floor], estimate);
    if (value > best) [best, ties] = [value, []];
    if (value === best) ties.push(action);
  }
  if (ties.length === 0) throw new RangeError(`${rules.id}: found an ended game, allowed running ones`);
  return random.choice(ties);
}

/**
 * A best action by minimax search of `depth` moves with alpha-beta pruning (Knuth and Moore 1975), for games of two players
 * without chance in which one wins what the other loses. Games that go on beyond the depth count as the game's
 * heuristic estimates them. Among equally good actions, `random` draws one.
 *
 * With depth 1 and no heuristic it is a player that wins if it can, avoids losing by its own move, and otherwise moves at
 * random.
 *
 * @throws RangeError when the game has ended, has chance, or has not two players; or unless depth is a positive integer.
 */
export const minimaxMove = (rules: GameRules, state: GameState, depth: number, random: Random): number =>
  bestAction(rules, state, depth, random, rules.heuristic ?? unknown);

/**
 * The action of a player that wins at once if it can; otherwise it prevents the opponent from winning at once, if it can, by
 * a random one of the actions that do.
 *
 * @throws RangeError when the game has ended, has chance, or has not two players.
 */
export const oneStepRule = (rules: GameRules, state: GameState, random: Random): number =>
  bestAction(rules, state, 2, random, unknown);
