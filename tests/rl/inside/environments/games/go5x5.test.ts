import { describe, expect, test } from "vitest";
import { Random } from "../../../../../src/evolution/random.ts";
import type { GameRules, GameState } from "../../../../../src/rl/environments/face/GameRules.ts";
import { areaOf } from "../../../../../src/rl/environments/games/go/board.ts";
import { Go5x5 } from "../../../../../src/rl/environments/games/go/Go5x5.ts";
import { go5x5, MAX_MOVES } from "../../../../../src/rl/environments/games/go/rules.ts";
import { readMoves } from "../../../../../src/rl/environments/games/records.ts";
import type { CompiledEnvironment } from "../../../../../src/rl/environments.ts";
import { playBeside, playMoves } from "./playBeside.ts";

const CELLS = 25;
const PASS = 25;
const rules = go5x5(0.5);
const after = (moves: string): GameState => readMoves(rules, moves).state;
const legalNames = (state: GameState): string[] => rules.legal(state).map(rules.actionName);

/** A board as five rows: X for the first player's stones, O for the second's. */
const rowsOf = (state: GameState): string[] =>
  Array.from({ length: 5 }, (_, row) =>
    state
      .slice(5 * row, 5 * row + 5)
      .map((stone) => (stone === 0 ? "." : stone === 1 ? "X" : "O"))
      .join(""),
  );
const boardOf = (...rows: string[]): number[] =>
  rows
    .join("")
    .split("")
    .map((char) => "O.X".indexOf(char) - 1);

/** The rules written again without the numbers that states keep: groups are walked, boards are compared as text. */
function stoneOn(board: readonly number[], cell: number, stone: number): number[] | null {
  const beside = (c: number) =>
    [c - 5, c + 5, ...(c % 5 > 0 ? [c - 1] : []), ...(c % 5 < 4 ? [c + 1] : [])].filter(
      (near) => near >= 0 && near < CELLS,
    );
  const breathes = (position: readonly number[], from: number): boolean => {
    const seen = new Set<number>();
    const walk = (c: number): boolean =>
      position[c] === 0 ||
      (position[c] === position[from] && !seen.has(c) && seen.add(c) && beside(c).some(walk));
    return beside(from).length > 0 && walk(from);
  };
  const placed = [...board];
  placed[cell] = stone;
  const taken = placed.map((other, c) => other === -stone && !breathes(placed, c));
  const left = placed.map((other, c) => (taken[c] ? 0 : other));
  return breathes(left, cell) ? left : null;
}

test("legal moves and boards are those of the rules written again, in random games", () => {
  const random = new Random({ seed: 3, stream: "go" });
  let [kos, longer, suicides, multiple] = [0, 0, 0, 0];
  for (let game = 0; game < 60; game++) {
    let state = rules.start;
    const boards: string[] = [state.slice(0, CELLS).join()];
    for (let ply = 0; ply < MAX_MOVES && rules.returns(state) === null; ply++) {
      const board = state.slice(0, CELLS);
      const stone = ply % 2 === 0 ? 1 : -1;
      const made = board.map((old, cell) => (old === 0 ? stoneOn(board, cell, stone) : null));
      const legal = made.flatMap((next, cell) => {
        if (!next) suicides += Number(board[cell] === 0);
        const repeats = next ? boards.lastIndexOf(next.join()) : -1;
        if (repeats >= 0 && boards.length - repeats === 2) kos++;
        else if (repeats >= 0) longer++;
        return next && repeats < 0 ? [cell] : [];
      });
      expect(rules.legal(state)).toEqual([...legal, PASS]);
      const action = [...legal, PASS][random.integer(legal.length + 1)] as number;
      const next = action === PASS ? board : made[action];
      const captured = board.filter((old, cell) => old !== 0 && next?.[cell] === 0).length;
      multiple += Number(captured > 1);
      state = rules.next(state, action);
      expect(state.slice(0, CELLS)).toEqual(next);
      boards.push(state.slice(0, CELLS).join());
    }
  }
  for (const count of [kos, longer, suicides, multiple]) expect(count).toBeGreaterThan(0);
});

describe("captures", () => {
  test("a stone takes two groups at once", () => {
    const state = after("a2 a1 d1 c1 c2 e5 b1");
    expect(rowsOf(state)).toEqual(["....O", ".....", ".....", "X.X..", ".X.X."]);
  });

  test("no group may be left without a liberty, unless the move captures", () => {
    const corner = after("a1 a2 e5 b2 e4 c1");
    expect(legalNames(corner)).not.toContain("b1");
    expect(rowsOf(rules.next(corner, PASS))).toEqual(rowsOf(corner));
    const taken = readMoves(rules, "a1 a2 e5 b2 e4 c1 pass b1").state;
    expect(rowsOf(taken).at(-1)).toBe(".OO..");
  });
});

describe("superko", () => {
  const ko = "b3 d2 c2 d4 c4 e3 a1 c3 d3";

  test("a stone may not take back at once, but after other moves", () => {
    const state = after(ko);
    expect(rowsOf(state)).toEqual([".....", "..XO.", ".X.XO", "..XO.", "X...."]);
    expect(legalNames(state)).not.toContain("c3");
    expect(legalNames(after(`${ko} a5 e5`))).toContain("c3");
    // After two passes in between, the board would still be the old one.
    expect(legalNames(after(`${ko} pass a5 pass`))).toContain("c3");
  });

  test("a board of three moves before may not come again", () => {
    const state = after(
      "d3 pass d2 e1 c1 b5 b4 b1 e2 a1 a2 a5 d4 b3 e5 d5 c5 c4 e3 d5 pass c2 c3 a3 c5 d1 c1",
    );
    expect(stoneOn(state.slice(0, CELLS), 24, -1)).not.toBeNull();
    expect(legalNames(state)).not.toContain("e1");
  });
});

describe("scores", () => {
  test.each([
    ["the empty board belongs to nobody", [".....", ".....", ".....", ".....", "....."], 0],
    ["one stone owns the board", [".....", ".....", "..X..", ".....", "....."], 25],
    ["walls own what they enclose", [".XO..", ".XO..", ".XO..", ".XO..", ".XO.."], 10 - 15],
    ["a region beside both belongs to nobody", ["X...O", ".....", ".....", ".....", "....."], 0],
    ["a long way through a region counts", [".....", "XXXX.", ".....", ".XXXX", "....O"], 8 - 1],
  ])("%s", (_name, rows, points) => {
    expect(areaOf(boardOf(...rows))).toBe(points);
  });

  test("two passes end the game, and the komi decides it", () => {
    const state = after("c3 pass pass");
    expect(rules.legal(state)).toEqual([]);
    expect(rules.returns(state)).toEqual([1, -1]);
    const with25 = go5x5(25);
    expect(with25.returns(readMoves(with25, "c3 pass pass").state)).toEqual([0, 0]);
    expect(rules.returns(after("c3 pass a1 pass"))).toBeNull();
    expect(rules.returns(after("pass pass"))).toEqual([-1, 1]);
  });
});

describe("Go5x5 as tensors", () => {
  const komiOf = (komi: number) => Go5x5.withOptions?.({ komi }) as CompiledEnvironment;

  test("follows the rules in random games", () => {
    expect(playBeside(Go5x5, { lanes: 16 })).toBeGreaterThan(16 * 20);
  });

  test.each([
    ["a5 pass", "the whole board", 25],
    // The first player's walls leave one way through 17 crossings to the second player's stone.
    ["a4 e1 b4 pass c4 pass d4 pass b2 pass c2 pass d2 pass e2 pass", "8 stones to 1", 7],
  ])("counts %s as %s", (moves, _points, points) => {
    const played: GameRules = go5x5(points);
    const { moves: actions } = readMoves(played, `${moves} pass pass`.replace(/pass pass pass/, "pass pass"));
    expect(playMoves(komiOf(points), actions)).toBe(0);
    expect(playMoves(komiOf(points - 0.5), actions)).not.toBe(0);
  });

  test("refuses a komi beyond the board", () => {
    expect(() => komiOf(26)).toThrow(/komi/);
  });
});
