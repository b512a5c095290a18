/** Games against opponents as environments of one agent, beside the games' rules. */
import { describe, expect, test } from "vitest";
import { Random } from "../../../../src/evolution/random.ts";
import type { GameState } from "../../../../src/rl/environments/face/GameRules.ts";
import { LeducPoker } from "../../../../src/rl/environments/games/leducPoker/LeducPoker.ts";
import { leducPoker } from "../../../../src/rl/environments/games/leducPoker/rules.ts";
import { Pig } from "../../../../src/rl/environments/games/pig/Pig.ts";
import { ticTacToe as rules, TicTacToe } from "../../../../src/rl/environments/games/stones/TicTacToe.ts";
import { type CompiledEnvironment, stateSize } from "../../../../src/rl/environments.ts";
import { versus } from "../../../../src/rl/programs.ts";
import { comparedShaders } from "../../../kernels/support/comparedShaders.ts";
import { devices } from "../../../kernels/support/devices.ts";
import { gameLanes } from "../environments/games/gameLanes.ts";
import { vectorPrograms, vectorRun } from "../environments/vectorRuns.ts";

const LANES = 64;
const random = new Random({ seed: 3, stream: "opponents" });
const uniforms = (count: number) =>
  Array.from({ length: LANES }, () => Array.from({ length: count }, () => random.integer(2 ** 24) / 2 ** 24));

/** Size of the game's own state; the seat follows it. */
const SIZE = stateSize(TicTacToe);

/** Lanes with random numbers of this test. */
function drawnLanes(env: CompiledEnvironment) {
  const { reset, step } = gameLanes(env, LANES);
  return {
    reset: () => reset(uniforms(env.resetDraws)),
    step: (states: readonly (readonly number[])[], actions: readonly number[]) =>
      step(states, actions, uniforms(env.stepDraws)),
  };
}

/** The position with stones on cells, first player's and second's, and the player to move. */
const position = (first: readonly number[], second: readonly number[], mover: number): number[] => [
  ...Array.from({ length: 9 }, (_, cell) => Number(first.includes(cell)) - Number(second.includes(cell))),
  0,
  mover,
];

const wins = (state: GameState, cell: number): boolean => rules.next(state, cell)[9] !== 0;

describe("A game against an opponent", () => {
  test("gives the agent the first move in even lanes, and the result of its own seat", () => {
    const { reset, step } = drawnLanes(versus(TicTacToe, { kind: "random" }, { opening: "random" }));
    let states = reset();
    for (const [lane, state] of states.entries()) {
      expect(state[SIZE]).toBe(lane % 2);
      expect(state.slice(0, 9).filter((stone) => stone !== 0)).toHaveLength(lane % 2);
      expect(rules.player(state)).toBe(lane % 2);
    }
    let playing = [...states.keys()];
    const results = new Set<number>();
    while (playing.length > 0) {
      const before = states;
      const actions = before.map((state) => {
        const legal = rules.legal(state.slice(0, SIZE));
        return legal[random.integer(Math.max(1, legal.length))] ?? 0;
      });
      const after = step(before, actions);
      for (const lane of playing) {
        const own = rules.next((before[lane] as number[]).slice(0, SIZE), actions[lane] as number);
        const now = (after.states[lane] as number[]).slice(0, SIZE);
        const seat = lane % 2;
        // Either the agent's move ended the game, or one legal answer leads to the state.
        const reached = rules.returns(own) ? [own] : rules.legal(own).map((cell) => rules.next(own, cell));
        expect(reached.map((state) => state.join())).toContain(now.join());
        const returns = rules.returns(now);
        expect(after.ended[lane]).toBe(returns !== null);
        expect(after.rewards[lane]).toBe(returns?.[seat] ?? 0);
        // Of an ended game, the player to move is not specified.
        expect(returns ? seat : rules.player(now)).toBe(seat);
        if (returns) results.add(returns[seat] as number);
      }
      states = after.states;
      playing = playing.filter((lane) => !after.ended[lane]);
    }
    expect([...results].sort((a, b) => a - b)).toEqual([-1, 0, 1]);
  });

  test("whose opponent looks one step ahead takes wins, and stops the agent's", () => {
    const { step } = drawnLanes(versus(TicTacToe, { kind: "one_step" }, { opening: "random" }));
    // The agent is the first player and moves to a cell that changes nothing.
    const cases = [
      { state: position([0, 4], [3, 6], 0), move: 2, answer: "block or win" },
      { state: position([0, 8], [3, 4], 0), move: 7, answer: "win" },
      { state: position([0], [4], 0), move: 1, answer: "block" },
    ];
    const lanes = Array.from({ length: LANES }, (_, lane) => cases[lane % cases.length] as (typeof cases)[0]);
    const { states } = step(
      lanes.map(({ state }) => [...state, 0]),
      lanes.map(({ move }) => move),
    );
    for (const [lane, { state, move }] of lanes.entries()) {
      const own = rules.next(state, move);
      const [now] = [(states[lane] as number[]).slice(0, SIZE)];
      const answer = Array.from({ length: 9 }, (_, cell) => cell).find((cell) => now[cell] !== own[cell]);
      const winning = rules.legal(own).filter((cell) => wins(own, cell));
      const passed = [...own.slice(0, 10), 1 - (own[10] as number)];
      const stopping = rules.legal(own).filter((cell) => wins(passed, cell));
      expect(winning.length + stopping.length).toBeGreaterThan(0);
      expect(winning.length > 0 ? winning : stopping).toContain(answer);
    }
  });

  test("begins with random moves of both players: any number up to the most, and none that ends the game", () => {
    const most = 7;
    const { reset } = drawnLanes(versus(TicTacToe, { kind: "random" }, { opening_moves: most }));
    const plies = new Set<number>();
    for (const [lane, state] of [...reset(), ...reset(), ...reset()].entries()) {
      const made = state.slice(0, 9).filter((stone) => stone !== 0).length;
      plies.add(made);
      expect(rules.returns(state.slice(0, SIZE))).toBeNull();
      expect(rules.player(state)).toBe((lane % LANES) % 2);
      // The player to move has as many stones as the other, or one less.
      expect(made % 2).toBe(lane % 2);
    }
    expect([...plies].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("is the same on every device", () => {
    const env = versus(TicTacToe, { kind: "one_step" }, { opening: "random", opening_moves: 3 });
    return comparedShaders(import.meta.url)("one step ahead", vectorPrograms(env), async () => {
      const runs = [];
      for (const { create } of devices) {
        const device = await create();
        runs.push(await vectorRun(device, env, { lanes: 6, steps: 8, seed: 2 }));
        device.close();
      }
      expect(runs.length).toBeGreaterThan(1);
      for (const run of runs.slice(1)) expect(run).toEqual(runs[0]);
    });
  });

  test("gives the turn back to the agent, also where the opponent moves twice in a row", () => {
    const { reset, step } = drawnLanes(versus(LeducPoker, { kind: "random" }, { opening: "random" }));
    const size = stateSize(LeducPoker);
    let states = reset();
    let playing = [...states.keys()];
    let twice = 0;
    while (playing.length > 0) {
      const before = states.map((state) => state.slice(0, size));
      const actions = before.map((state) => {
        const legal = leducPoker.legal(state);
        return legal[random.integer(Math.max(1, legal.length))] ?? 0;
      });
      for (const lane of playing) expect(leducPoker.player(before[lane] as number[])).toBe(lane % 2);
      const after = step(states, actions);
      for (const lane of playing) {
        const now = (after.states[lane] as number[]).slice(0, size);
        const returns = leducPoker.returns(now);
        expect(after.ended[lane]).toBe(returns !== null);
        expect(after.rewards[lane]).toBe(returns?.[lane % 2] ?? 0);
        const made = (state: readonly number[]) => state.slice(3, 11).filter((move) => move >= 0).length;
        twice += Number(made(now) - made(before[lane] as number[]) === 3);
      }
      states = after.states;
      playing = playing.filter((lane) => !after.ended[lane]);
    }
    expect(twice).toBeGreaterThan(0);
  });

  test("has the opponent's whole turn in a step, where a player keeps the turn as long as it likes", () => {
    const target = 60;
    const pig = Pig.withOptions?.({ target }) as CompiledEnvironment;
    const { reset, step } = drawnLanes(versus(pig, { kind: "hold_at_20" }));
    const [HOLD, ROLL] = [0, 1];
    let states = reset();
    /** Points of the opponent's turns: lost, held at 20 or more, or all that it needs. */
    const turns: number[] = [];
    const turned = (before: number, after: number): void => {
      turns.push(after - before);
      expect(after === before || after - before >= 20 || after >= target).toBe(true);
      expect(after - before).toBeLessThan(26);
    };
    for (const [lane, [first = 0, second, turn, , mover]] of states.entries()) {
      expect([second, turn, mover]).toEqual([0, 0, lane % 2]);
      if (lane % 2 === 1) turned(0, first);
    }
    let playing = [...states.keys()];
    const results = new Set<number>();
    while (playing.length > 0) {
      const before = states;
      // The agent rolls once, and holds.
      const actions = before.map(([, , turn]) => (turn === 0 ? ROLL : HOLD));
      const after = step(before, actions);
      for (const lane of playing) {
        const [was, now] = [before[lane] as number[], after.states[lane] as number[]];
        const [own, other] = [lane % 2, 1 - (lane % 2)];
        const points = (state: readonly number[], seat: number) => state[seat] as number;
        const wins = points(now, own) >= target;
        const passes = now[2] === 0;
        expect(points(now, own) - points(was, own)).toBe(actions[lane] === HOLD ? was[2] : 0);
        const answers = passes && !wins;
        if (answers) turned(points(was, other), points(now, other));
        expect(points(now, other) === points(was, other) || answers).toBe(true);
        expect(after.ended[lane]).toBe(wins || points(now, other) >= target);
        expect(after.rewards[lane]).toBe(after.ended[lane] ? (wins ? 1 : -1) : 0);
        expect(after.ended[lane] || now[4] === own).toBe(true);
        results.add(after.rewards[lane] as number);
      }
      states = after.states;
      playing = playing.filter((lane) => !after.ended[lane]);
    }
    expect(results).toEqual(new Set([0, 1, -1]));
    // A turn to 20 points loses them with a probability of 0.6245 (Neller and Presser 2004).
    const lost = turns.filter((points) => points === 0).length / turns.length;
    expect(turns.length).toBeGreaterThan(400);
    expect(Math.abs(lost - 0.6245)).toBeLessThan(0.06);
  });

  test("is refused for an environment of one agent", () => {
    const { game: _, ...alone } = TicTacToe;
    expect(() => versus(alone, { kind: "random" }, { opening: "random" })).toThrow(
      "allowed games of two players",
    );
  });
});
