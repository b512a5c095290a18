/** Plays games by their rules and by their compiled environment side by side. */
import { expect } from "vitest";
import { Random } from "../../../../../src/evolution/random.ts";
import { stepDrawBuffer } from "../../../../../src/rl/environments/compiled/hostPrograms.ts";
import { CHANCE, type GameRules, type GameState } from "../../../../../src/rl/environments/face/GameRules.ts";
import {
  BUFFERS,
  type CompiledEnvironment,
  drawBuffer,
  prepareProgram,
  resetProgram,
  stateSize,
  stepProgram,
  variableBuffer,
  variableShape,
} from "../../../../../src/rl/environments.ts";

/** Numbers of a lane in a buffer. */
const rowOf = (values: ArrayLike<number>, lane: number, lanes: number): number[] => {
  const width = values.length / lanes;
  return Array.from({ length: width }, (_, i) => values[lane * width + i] as number);
};

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
 * Plays `lanes` games of random moves to their ends, or to the limit of moves, and expects equal states, masks, observations, rewards and ends after
 * every move. @returns the moves that were compared.
 */
export function playBeside(env: CompiledEnvironment, { seed = 1, lanes = 64 } = {}): number {
  const { rules } = env.game ?? expect.fail(`${env.id} is no game`);
  const random = new Random({ seed, stream: "games" });
  const drawn = (count: number) =>
    Array.from({ length: lanes }, () => Array.from({ length: count }, () => random.uniform()));
  const resets = drawn(env.resetDraws);
  const reset = prepareProgram(resetProgram(env), { num_envs: lanes });
  for (let i = 0; i < env.resetDraws; i++)
    reset.write(
      drawBuffer(i),
      resets.map((own) => Math.fround(own[i] ?? 0)),
    );
  reset.run();
  const states = resets.map((own) => settle(rules, rules.start, own.map(Math.fround)));
  const read = (run: typeof reset, lane: number) =>
    env.variables.flatMap((name) => rowOf(run.read(variableBuffer(name)), lane, lanes));
  for (const [lane, state] of states.entries()) expect(read(reset, lane)).toEqual([...state]);
  reset.release();
  const run = prepareProgram(stepProgram(env), { num_envs: lanes });
  let compared = 0;
  let playing = states.map((_, lane) => lane);
  for (let ply = 0; playing.length > 0 && ply < rules.max_moves; ply++) {
    const moves = states.map((state) => {
      const legal = rules.legal(state);
      return legal.length > 0 ? (legal[random.integer(legal.length)] as number) : 0;
    });
    const draws = drawn(env.stepDraws);
    let at = 0;
    for (const name of env.variables) {
      const size = variableShape(env, name).reduce((a, b) => a * b, 1);
      const from = at;
      run.write(
        variableBuffer(name),
        states.flatMap((state) => state.slice(from, from + size)),
      );
      at += size;
    }
    expect(at).toBe(stateSize(env));
    for (let i = 0; i < env.stepDraws; i++)
      run.write(
        stepDrawBuffer(i),
        draws.map((own) => Math.fround(own[i] ?? 0)),
      );
    run.write(BUFFERS.action, moves);
    run.run();
    for (const lane of playing) {
      const before = states[lane] as GameState;
      const mover = rules.player(before);
      const after = settle(
        rules,
        rules.next(before, moves[lane] as number),
        (draws[lane] ?? []).map(Math.fround),
      );
      states[lane] = after;
      const returns = rules.returns(after);
      expect(read(run, lane), `${rules.id}: state after ${rules.actionName(moves[lane] as number)}`).toEqual([
        ...after,
      ]);
      expect(rowOf(run.read(BUFFERS.terminated), lane, lanes)[0] !== 0).toBe(returns !== null);
      expect(rowOf(run.read(BUFFERS.reward), lane, lanes)[0]).toBeCloseTo(returns?.[mover] ?? 0, 5);
      if (!returns) {
        const legal = rules.legal(after);
        const mask = Array.from({ length: rules.action_space.n }, (_, i) => Number(legal.includes(i)));
        expect(rowOf(run.read(BUFFERS.mask), lane, lanes)).toEqual(mask);
        expect(rowOf(run.read(BUFFERS.obs), lane, lanes)).toEqual([
          ...rules.observe(after, rules.player(after)),
        ]);
      }
      compared++;
    }
    playing = playing.filter((lane) => rules.returns(states[lane] as GameState) === null);
  }
  run.release();
  return compared;
}

/** Plays actions in one lane of a game without chance. @returns the reward of the last one, which ends the game. */
export function playMoves(env: CompiledEnvironment, actions: readonly number[]): number {
  const reset = prepareProgram(resetProgram(env), { num_envs: 1 });
  const run = prepareProgram(stepProgram(env), { num_envs: 1 });
  reset.run();
  for (const name of env.variables) run.write(variableBuffer(name), [...reset.read(variableBuffer(name))]);
  for (const [i, action] of actions.entries()) {
    run.write(BUFFERS.action, [action]);
    run.run();
    expect(run.read(BUFFERS.terminated)[0] !== 0).toBe(i === actions.length - 1);
  }
  const reward = run.read(BUFFERS.reward)[0];
  reset.release();
  run.release();
  return reward ?? Number.NaN;
}
