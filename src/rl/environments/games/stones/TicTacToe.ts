import { rowGame } from "./rowGame.ts";
import { rowRules } from "./rowRules.ts";

const GAME = { id: "rlkit/TicTacToe", size: 3, line: 3 };

/** Three in a row on a board of three by three cells. */
export const ticTacToe = rowRules(GAME);

export const TicTacToe = rowGame(GAME, ticTacToe, [
  { path: "M28 6v36M44 6v36M14 18h44M14 30h44" },
  { path: "M31 20l10 10M41 20 31 30" },
  { path: "M25 12a4 4 0 1 1-8 0 4 4 0 1 1 8 0z", style: "moving" },
]);
