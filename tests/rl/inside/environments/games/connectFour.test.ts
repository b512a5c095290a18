import { expect, test } from "vitest";
import { ConnectFour } from "../../../../../src/rl/environments/games/connectFour/ConnectFour.ts";
import { connectFour } from "../../../../../src/rl/environments/games/connectFour/rules.ts";
import { sequences } from "./perft.ts";
import { playBeside } from "./playBeside.ts";

test("Connect Four has the published numbers of sequences of moves", () => {
  // The first that end, with four in a column, have seven moves; a column is full after six.
  expect([1, 2, 3, 4, 5, 6, 7].map((plies) => sequences(connectFour, plies))).toEqual([
    7, 49, 343, 2401, 16_807, 117_649, 823_536,
  ]);
});

test("Connect Four is compiled as its rules say", () => {
  expect(playBeside(ConnectFour, { lanes: 256 })).toBeGreaterThan(256 * 7);
});
