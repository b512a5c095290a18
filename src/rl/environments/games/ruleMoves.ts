/** Moves of chance, and random ones, in states of a game. */
import { CHANCE, type GameRules, type GameState } from "../face/GameRules.ts";

/** Draws uniformly from [0, 1). */
type Uniform = () => number;

/** The state at the next turn of a player: outcomes of chance are drawn until then. */
export function afterChance(rules: GameRules, state: GameState, uniform: Uniform): GameState {
  if (rules.returns(state) !== null || rules.player(state) !== CHANCE) return state;
  const outcomes = rules.chance?.(state) ?? [];
  let left = uniform();
  const found = outcomes.find(([, probability]) => {
    left -= probability;
    return left < 0;
  });
  const drawn = found ?? outcomes.at(-1);
  if (!drawn) throw new TypeError(`${rules.id}: chance moves, and has no outcomes`);
  return afterChance(rules, rules.next(state, drawn[0]), uniform);
}

function oneOf(actions: readonly number[], uniform: Uniform): number {
  const action = actions[Math.floor(uniform() * actions.length)];
  if (action === undefined) throw new RangeError("move: found a state without legal actions");
  return action;
}

/** Any legal action. @throws RangeError in a state without one. */
export const randomMove = (rules: GameRules, state: GameState, uniform: Uniform): number =>
  oneOf(rules.legal(state), uniform);
