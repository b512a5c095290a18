/**
 * `npx tsx bench/mutation.ts [--returns]`: measures the initial cost of a mutation with each rule for Adam's
 * moments. Losses are medians over five seeds, returns means over twenty. With --returns, only the returns.
 */
import { machineNote } from "./harness/machine.ts";
import { meanAndDeviation, median } from "./harness/statistics.ts";
import { formatNumber, markdownTable } from "./harness/table.ts";
import { SEEDS } from "./learning/rows.ts";
import { lossesAfter, trainedAgent } from "./mutation/heldOutLoss.ts";
import type { MomentRule } from "./mutation/momentRules.ts";
import { type MeasuredMutation, measuredMutations } from "./mutation/mutations.ts";
import { returnsAfter, trainedRun } from "./mutation/returnAfter.ts";

const LEARNING_STEPS = [0, 1, 5, 20, 100, 500];
const ENVIRONMENT_STEPS = [0, 2048, 4096, 8192];
/** Returns vary more between seeds than losses do. */
const RETURN_SEEDS = Array.from({ length: 20 }, (_, i) => i + 1);

/** One line per mutation and rule. The first is without a mutation. */
type Case = { readonly mutation: MeasuredMutation; readonly rule: MomentRule } | null;
const cases: readonly Case[] = [
  null,
  ...measuredMutations.flatMap((mutation) => mutation.rules.map((rule) => ({ mutation, rule }))),
];

const names = (one: Case): string[] => (one ? [one.mutation.name, one.rule.name] : ["none", ""]);

/** @param results Per seed, in order: one number per column. */
const line = (
  one: Case,
  results: readonly (readonly number[])[],
  columns: readonly number[],
  format: (values: readonly number[]) => string,
) => [...names(one), ...columns.map((_, i) => format(results.map((result) => result[i] ?? Number.NaN)))];

function losses(): void {
  const agents = SEEDS.map((seed) => ({ seed, before: trainedAgent(seed) }));
  const rows = cases.map((one) => {
    const results = agents.map(({ seed, before }) =>
      lossesAfter(before, seed, one, LEARNING_STEPS).map((loss) => 1000 * loss),
    );
    return line(one, results, LEARNING_STEPS, (values) => formatNumber(median(values), 2));
  });
  console.log("\n## Held-out loss x 1,000, DQN, after so many learning steps\n");
  console.log(markdownTable(["mutation", "Adam", ...LEARNING_STEPS.map(String)], rows));
}

async function returns(): Promise<void> {
  const runs = await Promise.all(RETURN_SEEDS.map(async (seed) => ({ seed, run: await trainedRun(seed) })));
  const rows: string[][] = [];
  for (const one of cases) {
    const results: number[][] = [];
    for (const { seed, run } of runs) {
      const [before] = run.members;
      if (!before) throw new Error("the run has no member");
      const agent = one ? one.rule.apply(before, one.mutation.apply(before, seed)) : before;
      results.push(await returnsAfter(run, seed, agent, ENVIRONMENT_STEPS));
    }
    rows.push(
      line(one, results, ENVIRONMENT_STEPS, (values) => formatNumber(meanAndDeviation(values).mean, 0)),
    );
  }
  console.log("\n## Return, PPO on CartPole-v1, after so many environment steps\n");
  console.log(markdownTable(["mutation", "Adam", ...ENVIRONMENT_STEPS.map(String)], rows));
}

console.log(machineNote());
if (!process.argv.includes("--returns")) losses();
await returns();
