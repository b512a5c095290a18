/** Moves of the rules that need no networks, and of chance, in states of a game. */
import type { GameRules, GameState } from "./GameRules.ts";
import { CHANCE } from "./GameRules.ts";

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

/** Actions after which a player has won. */
function winning(rules: GameRules, state: GameState, actions: readonly number[]): readonly number[] {
  const player = rules.player(state);
  return actions.filter((action) => (rules.returns(rules.next(state, action))?.[player] ?? 0) > 0);
}

/**
 * An action that wins at once, else one that takes such an action from the opponent, else any legal one: the rule
 * `one_step` of training.
 *
 * @param rules Of two players and without chance. As in every compiled game, the last number of a state is its mover.
 * @throws RangeError in a state without legal actions.
 */
export function oneStepMove(rules: GameRules, state: GameState, uniform: Uniform): number {
  const actions = rules.legal(state);
  const wins = winning(rules, state, actions);
  if (wins.length > 0) return oneOf(wins, uniform);
  const passed = state.with(-1, 1 - (state.at(-1) ?? 0));
  const theirs = rules.legal(passed);
  const stops = winning(
    rules,
    passed,
    actions.filter((action) => theirs.includes(action)),
  );
  return oneOf(stops.length > 0 ? stops : actions, uniform);
}
