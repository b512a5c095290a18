import {
  type GameRules,
  type GameState,
  requireLegal,
} from "../../../../../src/rl/environments/face/GameRules.ts";

/** The state after moves, by their names. */
export function afterMoves(rules: GameRules, names: readonly string[]): GameState {
  const actions = Array.from({ length: rules.action_space.n }, (_, action) => action);
  const named = new Map(actions.map((action) => [rules.actionName(action), action]));
  return names.reduce((state, name) => {
    const action = named.get(name) ?? Number.NaN;
    requireLegal(rules, state, action);
    return rules.next(state, action);
  }, rules.start);
}
