/**
 * `npx tsx bench/search.ts [--game ID]... [--batch N] [--simulations N] [--hidden N]... [--seconds S]`: simulations of tree
 * searches in compiled games on one core, beside evaluations of the same networks alone: an encoder and heads with hidden
 * layers of the same width. Seconds are those that the process spends on the CPU.
 */
import { parseArgs } from "node:util";
import { searchSpeed, workPerSecond } from "./subjects/searchSpeed.ts";

const { values: options } = parseArgs({
  options: {
    game: { type: "string", multiple: true, default: ["rlkit/TicTacToe", "rlkit/ConnectFour"] },
    batch: { type: "string", default: "64" },
    simulations: { type: "string", default: "32" },
    hidden: { type: "string", multiple: true, default: ["64", "128"] },
    seconds: { type: "string", default: "2" },
  },
});

const written = (speed: number) => Math.round(speed).toLocaleString("en");

console.log("| game | rule | hidden | simulations/s | evaluations/s | ratio |\n|---|---|---|---|---|---|");
for (const game of options.game)
  for (const hidden of options.hidden.map(Number))
    for (const rule of ["puct", "gumbel"] as const) {
      const [batch, simulations] = [Number(options.batch), Number(options.simulations)];
      const { searches, evaluations } = searchSpeed({ game, rule, simulations, batch, hidden });
      const [found, plain] = [searches, evaluations].map((one) =>
        workPerSecond(one, Number(options.seconds)),
      );
      const [a, b] = [found ?? 0, plain ?? 0];
      console.log(
        `| ${game} | ${rule} | ${hidden} | ${written(a)} | ${written(b)} | ${(a / b).toFixed(2)} |`,
      );
    }
