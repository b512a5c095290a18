/** Plays games by their rules and by their compiled environment side by side. */
import { expect } from "vitest";
import { Random } from "../../../../../src/evolution/random.ts";
import { CHANCE, type GameRules, type GameState } from "../../../../../src/rl/environments/face/GameRules.ts";
import { type CompiledEnvironment, stateSize } from "../../../../../src/rl/environments.ts";
import { gameLanes } from "./gameLanes.ts";

/**
 * Lets chance move until a player's turn: the outcome whose share of [0, 1) contains the draw, outcomes in order.
 * Each move of chance takes the next draw.
 */
function settle(rules: GameRules, from: GameState, draws: readonly number[]): GameState {
  let state = from;
  let used = 0;
  while (rules.returns(state) === null && rules.player(state) === CHANCE) {
    const draw = draws[used++];
    if (draw === undefined) throw new RangeError(`${rules.id}: chance moves more often than there are draws`);
    let passed = 0;
    const outcomes = rules.chance?.(state) ?? [];
    const found = outcomes.find(([, probability]) => {
      passed += probability;
      return draw < passed;
    });
    state = rules.next(state, (found ?? outcomes.at(-1) ?? [0, 1])[0]);
  }
  return state;
}

/**
 * Plays `lanes` games of random moves to their ends, or to the limit of moves, and expects equal states, masks, observations,
 * rewards and ends after every move. @returns the moves that were compared.
 */
export function playBeside(env: CompiledEnvironment, { seed = 1, lanes = 64 } = {}): number {
  const { rules } = env.game ?? expect.fail(`${env.id} is no game`);
  const random = new Random({ seed, stream: "games" });
  const drawn = (count: number) =>
    Array.from({ length: lanes }, () => Array.from({ length: count }, () => Math.fround(random.uniform())));
  const game = gameLanes(env, lanes);
  const resets = drawn(env.resetDraws);
  const states = resets.map((own) => settle(rules, rules.start, own));
  expect(game.reset(resets)).toEqual(states.map((state) => [...state]));
  expect(states[0]).toHaveLength(stateSize(env));
  let compared = 0;
  let playing = states.map((_, lane) => lane);
  for (let ply = 0; playing.length > 0 && ply < rules.max_moves; ply++) {
    const moves = states.map((state) => {
      const legal = rules.legal(state);
      return legal.length > 0 ? (legal[random.integer(legal.length)] as number) : 0;
    });
    const draws = drawn(env.stepDraws);
    const found = game.step(states, moves, draws);
    for (const lane of playing) {
      const before = states[lane] as GameState;
      const move = moves[lane] as number;
      const after = settle(rules, rules.next(before, move), draws[lane] ?? []);
      states[lane] = after;
      const returns = rules.returns(after);
      // With the move, so that a difference tells where it began.
      expect({ move: rules.actionName(move), state: found.states[lane] }).toEqual({
        move: rules.actionName(move),
        state: [...after],
      });
      expect(found.ended[lane]).toBe(returns !== null);
      expect(found.rewards[lane]).toBeCloseTo(returns?.[rules.player(before)] ?? 0, 5);
      compared++;
      if (returns) continue;
      const legal = rules.legal(after);
      expect(found.masks[lane]).toEqual(
        Array.from({ length: rules.action_space.n }, (_, i) => Number(legal.includes(i))),
      );
      expect(found.observations[lane]).toEqual([...rules.observe(after, rules.player(after))]);
    }
    playing = playing.filter((lane) => rules.returns(states[lane] as GameState) === null);
  }
  game.release();
  return compared;
}

/** Plays actions in one lane of a game without chance. @returns the reward of the last one, which ends the game. */
export function playMoves(env: CompiledEnvironment, actions: readonly number[]): number {
  const game = gameLanes(env, 1);
  let states = game.reset([[]]);
  let reward = Number.NaN;
  for (const [i, action] of actions.entries()) {
    const found = game.step(states, [action], [[]]);
    states = found.states;
    reward = found.rewards[0] ?? Number.NaN;
    expect(found.ended[0]).toBe(i === actions.length - 1);
  }
  game.release();
  return reward;
}
