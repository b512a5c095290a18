import { boardGlyph } from "../boardGlyph.ts";
import { rowGame } from "./rowGame.ts";
import { rowRules } from "./rowRules.ts";

const GAME = { id: "rlkit/Gomoku9", size: 9, line: 5 };

/** Five in a row or more on a board of nine by nine cells: free-style, without rules against the first player. */
export const gomoku9 = rowRules(GAME);

export const Gomoku9 = rowGame(
  GAME,
  gomoku9,
  boardGlyph(
    "M12 6h48M12 15h48M12 24h48M12 33h48M12 42h48M18 3v42M27 3v42M36 3v42M45 3v42M54 3v42",
    [
      [18, 6],
      [27, 15],
      [36, 24],
      [45, 33],
      [54, 42],
    ],
    [
      [27, 33],
      [36, 33],
      [45, 15],
    ],
  ),
);
