/** Moves of chance, and random ones, in states of a game. */
import { CHANCE, type GameRules, type GameState } from "../face/GameRules.ts";

/** Draws uniformly from [0, 1). */
type Uniform = () => number;

/** Whether chance moves in a state. */
export const isChance = (rules: GameRules, state: GameState): boolean =>
  rules.returns(state) === null && rules.player(state) === CHANCE;

/** The state at the next turn of a player: outcomes of chance are drawn until then. */
export function afterChance(rules: GameRules, state: GameState, uniform: Uniform): GameState {
  if (!isChance(rules, state)) return state;
  return afterChance(rules, rules.next(state, chanceMove(rules, state, uniform)), uniform);
}

/** An outcome of chance where it moves. */
export function chanceMove(rules: GameRules, state: GameState, uniform: Uniform): number {
  const outcomes = rules.chance?.(state) ?? [];
  let left = uniform();
  const found = outcomes.find(([, probability]) => {
    left -= probability;
    return left < 0;
  });
  const drawn = found ?? outcomes.at(-1);
  if (!drawn) throw new TypeError(`${rules.id}: chance moves, and has no outcomes`);
  return drawn[0];
}

function oneOf(actions: readonly number[], uniform: Uniform): number {
  const action = actions[Math.floor(uniform() * actions.length)];
  if (action === undefined) throw new RangeError("move: found a state without legal actions");
  return action;
}

/** Any legal action. @throws RangeError in a state without one. */
export const randomMove = (rules: GameRules, state: GameState, uniform: Uniform): number =>
  oneOf(rules.legal(state), uniform);
