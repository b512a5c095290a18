import { rowRules } from "../inARow/rules.ts";

export const GOMOKU = { id: "rlkit/Gomoku9", size: 9, line: 5 };

/** Five in a row or more on a board of nine by nine cells: free-style, without rules against the first player. */
export const gomoku9 = rowRules(GOMOKU);
