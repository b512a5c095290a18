import { describe, expect, test } from "vitest";
import { Random } from "../../../../../src/evolution/random.ts";
import { builtInEnvironments } from "../../../../../src/rl/environments/builtIn.ts";
import { CHANCE, type GameRules } from "../../../../../src/rl/environments/face/GameRules.ts";
import { go5x5 } from "../../../../../src/rl/environments/games/go/rules.ts";
import { readSgf, writeSgf } from "../../../../../src/rl/environments/games/go/sgf.ts";
import { kuhnPoker } from "../../../../../src/rl/environments/games/kuhnPoker/rules.ts";
import { readMoves, writeMoves } from "../../../../../src/rl/environments/games/records.ts";
import { ticTacToe } from "../../../../../src/rl/environments/games/stones/TicTacToe.ts";
import { isCompiled } from "../../../../../src/rl/environments.ts";

const games = builtInEnvironments.flatMap((env) => (isCompiled(env) && env.game ? [env.game.rules] : []));

/** Random moves of a whole game, and its last state. */
function randomGame(rules: GameRules, seed: number) {
  const random = new Random({ seed, stream: rules.id });
  const moves: number[] = [];
  let state = rules.start;
  while (rules.returns(state) === null && moves.length < rules.max_moves) {
    const choices =
      rules.player(state) === CHANCE
        ? (rules.chance?.(state) ?? []).map(([outcome]) => outcome)
        : rules.legal(state);
    const move = choices[random.integer(choices.length)] as number;
    moves.push(move);
    state = rules.next(state, move);
  }
  return { moves, state };
}

describe("lists of moves", () => {
  test.each(games)("of $id are read as they were written", (rules) => {
    for (let seed = 0; seed < 10; seed++) {
      const game = randomGame(rules, seed);
      expect(readMoves(rules, writeMoves(rules, game.moves))).toEqual(game);
    }
  });

  test("name actions, and number outcomes of chance", () => {
    expect(writeMoves(kuhnPoker, [2, 0, 1, 0])).toBe("*2 *0 bet pass");
    expect(readMoves(ticTacToe, "\n b2\ta1  ").moves).toEqual([4, 6]);
  });

  test("name the move that is not allowed", () => {
    expect(() => readMoves(ticTacToe, "b2 b2")).toThrow(
      'rlkit/TicTacToe: move 2: found "b2", allowed a3, b3, c3, a2, c2, a1, b1, c1',
    );
    expect(() => readMoves(kuhnPoker, "*2 *2")).toThrow(
      'rlkit/KuhnPoker: move 2: found "*2", allowed *0, *1',
    );
    expect(() => readMoves(kuhnPoker, "*2 *1 pass pass bet")).toThrow(
      'move 5: found "bet", allowed none: the game has ended',
    );
    expect(() => writeMoves(ticTacToe, [4, 4])).toThrow("rlkit/TicTacToe: action: found 4");
  });
});

describe("SGF", () => {
  test("of random games is read as it was written", () => {
    for (let seed = 0; seed < 20; seed++) {
      const komi = seed / 4;
      const { moves, state } = randomGame(go5x5(komi), seed);
      const { result, ...game } = readSgf(writeSgf({ moves, komi }));
      expect(game).toEqual({ moves, komi });
      const [first] = go5x5(komi).returns(state) ?? [null];
      expect(result?.[0]).toBe({ "1": "B", "-1": "W", "0": "0" }[String(first)]);
    }
  });

  test("has the letters of columns, then of rows from the top", () => {
    expect(writeSgf({ moves: [7, 25, 25], komi: 0.5 })).toBe(
      "(;FF[4]GM[1]CA[UTF-8]AP[rlkit]SZ[5]KM[0.5]RE[B+24.5]\n;B[cb];W[];B[])\n",
    );
    expect(readSgf(writeSgf({ moves: [7], komi: 0.5, result: "W+R \\]" })).result).toBe("W+R \\]");
  });

  test("is read with comments, old passes, unknown properties and variations", () => {
    const text = `A game. ( ;GaMe[1] SiZe[5]KM [7.5] C[a \\] and ; and (\nB[aa\\]]
      ;B[cc]BL[12](;W [tt] LB[aa:1] [bb:2];B[ab](;W[ba])(;W[ee]))(;W[dd]))`;
    expect(readSgf(text)).toEqual({ moves: [12, 25, 5, 1], komi: 7.5 });
    expect(readSgf("(;)")).toEqual({ moves: [], komi: 0.5 });
  });

  test.each([
    ["no game", 'text: found "no game", allowed a game tree that begins with (;'],
    ["(;GM[2])", "GM: found 2, allowed 1 (Go)"],
    ["(;SZ[19])", "SZ: found 19, allowed 5"],
    ["(;KM[lots])", 'KM: found "lots", allowed a number of points'],
    ["(;AB[aa])", "AB: found stones that are set up, allowed games from the empty board"],
    ["(;;B[af])", 'move 1: found point "af", allowed two letters from a to e, or none for a pass'],
    ["(;;W[aa])", "move 1: found W, allowed B: players move in turn"],
    ["(;;B[aa];W[aa])", "move 2: found a5, allowed b5, c5"],
    ["(;;B[];W[];B[aa])", "move 3: found a5, allowed none: the game has ended"],
    ["(;B[aa", "character 4: found a value without an end, allowed ] after the value"],
    ["(;B", "character 4: found property B without a value, allowed [ after its name"],
    ["(;B[aa]", "character 8: found the end, allowed a property, ;, ( or )"],
    ["(;B[aa]&)", 'character 8: found "&", allowed a property, ;, ( or )'],
  ])("%s is refused with its place", (text, message) => {
    expect(() => readSgf(text)).toThrow(`rlkit/Go5x5: SGF: ${message}`);
  });
});
