import { expect, test } from "vitest";
import { Random } from "../../../../../src/evolution/random.ts";
import type { GameState } from "../../../../../src/rl/environments/face/GameRules.ts";
import { connectFour } from "../../../../../src/rl/environments/games/connectFour/rules.ts";
import {
  SolutionTable,
  solve,
  solvedActions,
} from "../../../../../src/rl/environments/games/connectFour/solve.ts";

const random = new Random({ seed: 1, stream: "solve" });

/** A running game after random moves. */
function position(stones: number): GameState {
  for (;;) {
    let state = connectFour.start;
    for (let i = 0; i < stones && connectFour.returns(state) === null; i++)
      state = connectFour.next(state, random.choice(connectFour.legal(state)));
    if (connectFour.returns(state) === null) return state;
  }
}

function plainValue(state: GameState): number {
  const returns = connectFour.returns(state);
  if (returns) return returns[connectFour.player(state)] ?? 0;
  let best = -1;
  for (const action of connectFour.legal(state)) {
    best = Math.max(best, 0 - plainValue(connectFour.next(state, action)));
    if (best === 1) break;
  }
  return best;
}

test("late positions have the values of a search of all games", () => {
  const found = { 1: 0, 0: 0, [-1]: 0 };
  const table = new SolutionTable();
  for (let stones = 31; stones < 42; stones++)
    for (let k = 0; k < 30; k++) {
      const state = position(stones);
      const value = solve(state, table);
      expect(value).toBe(plainValue(state));
      found[value as 1 | 0 | -1]++;
    }
  for (const count of Object.values(found)) expect(count).toBeGreaterThan(10);
});

test("who plays solved actions gets the value of the position against every solved reply", () => {
  for (let k = 0; k < 10; k++) {
    const table = new SolutionTable();
    let state = position(18);
    const value = solve(state, table);
    const player = connectFour.player(state);
    while (connectFour.returns(state) === null) {
      const values = solvedActions(state, table);
      const best = Math.max(...values.values());
      expect(best).toBe(solve(state, table));
      state = connectFour.next(
        state,
        random.choice([...values].filter(([, of]) => of === best).map(([action]) => action)),
      );
    }
    expect(connectFour.returns(state)?.[player]).toBe(value);
  }
});

test("an ended game has the value of its result for the player whose turn it would be", () => {
  const won = [0, 1, 0, 1, 0, 1, 0].reduce(connectFour.next, connectFour.start);
  expect(solve(won)).toBe(-1);
});
