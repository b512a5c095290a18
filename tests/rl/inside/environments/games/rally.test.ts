/** Rally: its rules, and the same rules as tensors. */
import { expect, it } from "vitest";
import { Random } from "../../../../../src/evolution/random.ts";
import { Rally } from "../../../../../src/rl/environments/games/rally/Rally.ts";
import { rallyRules } from "../../../../../src/rl/environments/games/rally/rules.ts";
import { afterChance, randomMove } from "../../../../../src/rl/environments/games/ruleMoves.ts";
import type { CompiledEnvironment } from "../../../../../src/rl/environments.ts";
import { playBeside } from "./playBeside.ts";

const rules = rallyRules("vector");
const [STAY, UP, DOWN] = [0, 1, 2];
const played = (state: readonly number[], ...moves: readonly number[]) =>
  moves.reduce((now: readonly number[], move) => rules.next(now, move), state);

it.each(["picture", "vector"])("Rally is compiled as its rules say: %s", (observation) => {
  const env = Rally.withOptions?.({ observation }) as CompiledEnvironment;
  expect(playBeside(env, { lanes: 16 })).toBeGreaterThan(16 * 10);
});

it("a paddle returns the ball with a slope that changes by where it is hit, and walls reflect it", () => {
  // One column from the first paddle, whose upper cell it hits.
  expect(played([1, 6, -1, 0, 5, 5, 0, 0], STAY, STAY)).toEqual([0, 6, 1, 1, 5, 5, 0, 0]);
  expect(played([7, 9, 1, 2, 5, 5, 0, 0], STAY, UP)).toEqual([8, 9, 1, -2, 5, 6, 0, 0]);
  const missed = played([13, 4, 1, 2, 5, 5, 0, 0], STAY, DOWN);
  expect(rules.returns(missed)).toEqual([1, -1]);
  expect(rules.legal(missed)).toEqual([]);
  // Both move before the ball does.
  expect(rules.returns(played([13, 4, 1, 2, 5, 5, 0, 0], STAY, STAY))).toBeNull();
});

it("each player sees itself on the left, and the second one not the first one's move", () => {
  const random = new Random({ seed: 4 });
  const uniform = () => random.uniform();
  const mirrored = ([x = 0, y = 0, vx = 0, vy = 0, left = 0, right = 0]: readonly number[]) => [
    14 - x,
    y,
    -vx + 0,
    vy,
    right,
    left,
    0,
    0,
  ];
  for (const own of [rules, rallyRules("picture")]) {
    let state = afterChance(own, own.start, uniform);
    for (let move = 0; own.returns(state) === null && move < 40; move++) {
      expect(own.observe(state, 1)).toEqual(own.observe(mirrored(state), 0));
      expect(own.seenBy?.(state, 1)[6]).toBe(STAY);
      expect(own.observe(state, 1)).toEqual(own.observe(own.seenBy?.(state, 1) ?? [], 1));
      state = own.next(state, randomMove(own, state, uniform));
    }
  }
});

it("the paddle that follows the ball beats random moves, and the one that waits for it never misses", () => {
  /** Where the ball comes to the own side, or the middle while it leaves. */
  const waits = (state: readonly number[]): number => {
    const [, , speed = 0, , left = 0, right = 0, , mover = 0] = state;
    let ball = state;
    const comes = mover === 0 ? speed < 0 : speed > 0;
    const edge = mover === 0 ? 0 : 14;
    while (comes && ball[0] !== edge) ball = played([...ball.slice(0, 6), 0, 0], STAY, STAY);
    const [aim, own] = [comes ? (ball[1] ?? 0) : 5, mover === 0 ? left : right];
    return aim > own ? UP : aim < own ? DOWN : STAY;
  };
  const random = new Random({ seed: 2 });
  const uniform = () => random.uniform();
  const any = (state: readonly number[]) => randomMove(rules, state, uniform);
  const follow = (state: readonly number[]) => rules.own_rule?.move(state) ?? STAY;
  const result = (first: typeof any, second: typeof any): number => {
    let state = afterChance(rules, rules.start, uniform);
    for (let move = 0; rules.returns(state) === null && move < rules.max_moves; move++)
      state = rules.next(state, rules.player(state) === 0 ? first(state) : second(state));
    return rules.returns(state)?.[0] ?? 0;
  };
  const games = Array.from({ length: 60 });
  const share = games.reduce((sum: number) => sum + result(follow, any), 0);
  expect(share).toBeGreaterThan(40);
  for (const _game of games) expect(result(any, waits)).toBeLessThanOrEqual(0);
});
