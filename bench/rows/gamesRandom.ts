import type { Row } from "../harness/Row.ts";
import { movesPerSecond, randomGames } from "../subjects/randomGames.ts";

const GAMES = { "rlkit/ConnectFour": 1_000_000, "rlkit/Gomoku9": null };
const MOVES = 4_000_000;

export const gamesRandom: Row = {
  name: "games-random",
  title: "Random legal moves of 1,024 games side by side, in one program; per second of one core",
  figures: Object.entries(GAMES).map(([id, least]) => ({
    name: id,
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
