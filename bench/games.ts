/**
 * `npx tsx bench/games.ts [--game ID]... [--moves N]`: random legal moves of compiled games inside one program, of 1,024
 * lanes on one core, without observations. Seconds are those that the process spends on the CPU.
 */
import { parseArgs } from "node:util";
import { gameIds, movesPerSecond, randomGames } from "./subjects/randomGames.ts";

const { values: options } = parseArgs({
  options: {
    game: { type: "string", multiple: true },
    moves: { type: "string", default: "2000000" },
  },
});

console.log("| game | moves/s | moves in a game |\n|---|---|---|");
for (const id of options.game ?? gameIds()) {
  const play = randomGames(id);
  const { moves, games } = play(Number(options.moves) / 4);
  const speed = movesPerSecond(play, Number(options.moves));
  console.log(`| ${id} | ${Math.round(speed).toLocaleString("en")} | ${(moves / games).toFixed(1)} |`);
}
