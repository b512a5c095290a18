import { rowRules } from "../inARow/rules.ts";

export const TIC_TAC_TOE = { id: "rlkit/TicTacToe", size: 3, line: 3 };

/** Three in a row on a board of three by three cells. */
export const ticTacToe = rowRules(TIC_TAC_TOE);
