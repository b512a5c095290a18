import type { Row } from "../harness/Row.ts";
import { movesPerSecond, randomGames } from "../subjects/randomGames.ts";

const GAMES = {
  "rlkit/ConnectFour": 1_000_000,
  "rlkit/Gomoku9": null,
  "rlkit/Othello": null,
  "rlkit/Hex7": null,
};
const MOVES = 4_000_000;

/** Seconds are the process's time on the CPU, so other load changes the figures little. */
export const gamesRandom: Row = {
  name: "games-random",
  title: "1,024 games in one program; one core",
  figures: Object.entries(GAMES).map(([id, least]) => ({
    name: `${id}: random moves`,
    unit: "moves/s",
    digits: 0,
    ...(least !== null && { target: { at_least: least } }),
  })),
  measure: async () =>
    Object.keys(GAMES).map((id) => {
      const play = randomGames(id);
      play(MOVES / 4);
      return movesPerSecond(play, MOVES);
    }),
};
