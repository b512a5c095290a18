/**
 * `npx tsx bench/selfPlay.ts [--row NAME]... [--seeds 1-5] [--steps N]`: trains populations in games by self-play, and has
 * each champion play rules and searches. Prints its points, and records them.
 */
import { parseArgs } from "node:util";
import { buildLibIfStale } from "../scripts/lib/build.mjs";
import type { SingleAgentAlgorithm } from "../src/agents/index.ts";
import { Random } from "../src/evolution/index.ts";
import type * as Library from "../src/index.ts";
import { exploitability, findCompiledEnvironment } from "../src/rl/environments.ts";
import { seedsIn } from "./evolution/results.ts";
import { machineNote } from "./harness/machine.ts";
import type { Figure } from "./harness/Row.ts";
import { record } from "./harness/record.ts";
import { summarise } from "./harness/statistics.ts";
import { markdownTable } from "./harness/table.ts";
import { holdAt, type PigPolicy, pigOdds, pigPolicyOf } from "./subjects/pigOdds.ts";
import {
  agentPlayer,
  exactPolicy,
  lostLines,
  minimaxPlayer,
  oneStepPlayer,
  perfectReplies,
  pointsAgainst,
  randomPlayer,
  searchingPlayer,
  solvedShare,
} from "./subjects/players.ts";
import { type SelfPlayRow, selfPlayRows } from "./subjects/selfPlayRows.ts";

const { values: options } = parseArgs({
  options: {
    row: { type: "string", multiple: true },
    seeds: { type: "string", default: "1-5" },
    steps: { type: "string" },
    workers: { type: "string", default: "2" },
  },
});

/** Random moves at the beginning, without which two players that choose alike repeat one game. */
const OPENING = 2;
const GAMES = 200;

/** Points that win Pig. */
const TARGET = 100;

/** The share of games of Pig that a player wins, if it has the first move in half of them. */
const bothSeats = (player: PigPolicy, opponent: PigPolicy): number =>
  (pigOdds(TARGET, player, opponent).odds + 1 - pigOdds(TARGET, opponent, player).odds) / 2;

function judged(
  { game, judges, simulations }: SelfPlayRow,
  agent: SingleAgentAlgorithm,
  seed: number,
): number[] {
  const player = simulations === undefined ? agentPlayer(agent) : searchingPlayer(agent, simulations);
  const rules = findCompiledEnvironment(game).game?.rules;
  if (!rules) throw new RangeError(`${game}: is no game`);
  const random = new Random({ seed, stream: "opponents of the bench" });
  return judges.map(({ against, games = GAMES }) => {
    if (against === "best response") return exploitability(rules, exactPolicy(rules, agent));
    if (against === "hold at 20") return bothSeats(pigPolicyOf(rules, player), holdAt(20));
    if (against === "best play of Pig")
      return bothSeats(pigPolicyOf(rules, player), pigOdds(TARGET, null, null).policy);
    if (against === "all lines") return lostLines(rules, player);
    if (against === "all lines of minimax") return lostLines(rules, player, perfectReplies(rules));
    if (against === "solved positions") return solvedShare(player, { positions: games, stones: 16, seed });
    const opponent =
      against === "random"
        ? randomPlayer(random)
        : against === "one step"
          ? oneStepPlayer(random)
          : minimaxPlayer(Number(against.slice("minimax ".length)), random);
    return pointsAgainst(rules, player, opponent, { games, seed, opening: OPENING });
  });
}

if (!(await buildLibIfStale())) process.exit(1);
// The built library has workers as users have them.
const library = new URL("../dist/lib/index.js", import.meta.url).href;
const { Accelerator, LocalTrainer } = (await import(library)) as typeof Library;

for (const row of selfPlayRows.filter(({ name }) => options.row?.includes(name) ?? true)) {
  const { name, title, manifest, judges, must_pass } = row;
  const steps = options.steps === undefined ? {} : { max_steps: Number(options.steps) };
  const outcomes: { readonly seed: number; readonly values: number[]; readonly seconds: number }[] = [];
  for (const seed of seedsIn(options.seeds)) {
    const accelerator = new Accelerator({ workers: Number(options.workers) });
    const trainer = new LocalTrainer({
      ...manifest,
      training: { ...manifest.training, ...steps, seed },
      accelerator,
    });
    const start = performance.now();
    const [population, fitnesses] = await trainer.train({ verbose: false });
    const seconds = (performance.now() - start) / 1000;
    const champion = trainer.champion ?? population[fitnesses.indexOf(Math.max(...fitnesses))];
    if (!champion) throw new Error(`${name}: seed ${seed} delivered no agent`);
    // Games have one agent that acts for either seat.
    const values = judged(row, champion as SingleAgentAlgorithm, seed);
    outcomes.push({ seed, values, seconds });
    console.log(seed, values, Math.round(seconds));
  }
  const passes = outcomes.filter(({ values }) =>
    values.every((value, i) => judges[i]?.passes(value) ?? true),
  );
  console.log(`\n## ${name}: ${title}\n${machineNote()}\n`);
  console.log(
    markdownTable(
      ["seed", ...judges.map(({ against }) => against), "seconds"],
      outcomes.map(({ seed, values, seconds }) => [
        `${seed}`,
        ...values.map((value) => `${Number(value.toPrecision(3))}`),
        seconds.toFixed(0),
      ]),
    ),
  );
  console.log(`\n${passes.length} of ${outcomes.length} seeds pass (at least ${must_pass} must)`);
  const figures: Figure[] = [
    { name: "seeds that pass", unit: `of ${outcomes.length}`, target: { at_least: must_pass }, digits: 0 },
    ...judges.map(({ figure }): Figure => figure),
    { name: "seconds of training", unit: "s", digits: 0 },
  ];
  const count = { median: passes.length, min: passes.length, max: passes.length };
  const summaries = [
    count,
    ...judges.map((_judge, i) => summarise(outcomes.map(({ values }) => values[i] as number))),
    summarise(outcomes.map(({ seconds }) => seconds)),
  ];
  const command = `npx tsx bench/selfPlay.ts --row ${name}`;
  if (options.steps === undefined) record({ row: name, title, command, figures, summaries });
}
