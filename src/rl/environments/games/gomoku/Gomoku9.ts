import { rowGame } from "../inARow/rowGame.ts";
import { GOMOKU } from "./rules.ts";

export const Gomoku9 = rowGame(GOMOKU, [
  {
    path: "M12 8h48M12 16h48M12 24h48M12 32h48M12 40h48M20 4v40M28 4v40M36 4v40M44 4v40M52 4v40",
    style: "guide",
  },
  {
    path: "M23 8a3 3 0 1 1-6 0 3 3 0 1 1 6 0zM31 16a3 3 0 1 1-6 0 3 3 0 1 1 6 0zM39 24a3 3 0 1 1-6 0 3 3 0 1 1 6 0zM47 32a3 3 0 1 1-6 0 3 3 0 1 1 6 0zM55 40a3 3 0 1 1-6 0 3 3 0 1 1 6 0z",
    style: "moving",
  },
  {
    path: "M31 32a3 3 0 1 1-6 0 3 3 0 1 1 6 0zM47 16a3 3 0 1 1-6 0 3 3 0 1 1 6 0zM39 32a3 3 0 1 1-6 0 3 3 0 1 1 6 0z",
    style: "body",
  },
]);
