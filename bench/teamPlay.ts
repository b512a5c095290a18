/**
 * `npm run results:teams -- [--row NAME]... [--seeds N]`: trains single teams without evolution, and plays
 * whole episodes with them. For speaker and listener, it measures how often the landmark nearest to the
 * listener at the end is the goal. For tag, it compares the returns of trained and of random adversaries
 * against a prey that moves at random.
 */
import { parseArgs } from "node:util";
import { buildLibIfStale } from "../scripts/lib/build.mjs";
import { agentFromState, MultiAgentAlgorithm } from "../src/agents/classes.ts";
import { Agents, findCompiledEnvironment, make } from "../src/agents/index.ts";
import type { AgentState } from "../src/agents/members.ts";
import { Random } from "../src/evolution/random.ts";
import { machineNote } from "./harness/machine.ts";
import { record } from "./harness/record.ts";
import { summarise } from "./harness/statistics.ts";
import { formatNumber, markdownTable } from "./harness/table.ts";
import { recordLearning, type SeedOutcome } from "./learning/recordLearning.ts";
import { findLearningRow, type LearningRow, MUST_PASS, SEEDS } from "./learning/rows.ts";
import { manifestOf } from "./learning/trainOnce.ts";
import { scripts } from "./particleWorlds/scripts.ts";
import { Judge } from "./subjects/judge.ts";
import { runPopulation } from "./subjects/populationRun.ts";
import { teamManifest } from "./subjects/teams.ts";

const EPISODES = 1000;
/** Episodes to play after each generation. */
const FEW = 200;
/** Fraction of episodes that must end at the goal. */
const AT_GOAL = 0.85;
const TAG = "simple_tag_v3";
const TAG_STEPS = 1_000_000;

/** Result of an episode. */
interface Played {
  readonly returns: ReadonlyMap<string, number>;
  /** The final state row. */
  readonly last: Float32Array;
}

/**
 * Plays whole episodes of a world. Agents that `team` does not play, or `alone` leaves out, act at random.
 */
function play(
  world: string,
  team: AgentState | null,
  { episodes = EPISODES, alone = () => true }: { episodes?: number; alone?: (id: string) => boolean } = {},
): Played[] {
  const env = make<"parallel">(world);
  const { observation_space, action_space } = findCompiledEnvironment(world);
  if (!(action_space instanceof Agents)) throw new TypeError(`${world}: has one agent`);
  const agent = team && agentFromState(team, { observation_space, action_space });
  if (agent && !(agent instanceof MultiAgentAlgorithm)) throw new TypeError(`${world}: found a single agent`);
  const random = new Random({ seed: 1, stream: `team play ${world}` });
  return Array.from({ length: episodes }, (_x, episode) => {
    const returns = new Map(action_space.ids.map((id) => [id, 0]));
    let { observations } = env.reset({ seed: episode });
    for (let isOver = false; !isOver; ) {
      const chosen = agent?.getAction(observations, { training: false }) ?? {};
      const actions = Object.fromEntries(
        action_space.agents.map(({ id, space }) => [
          id,
          agent && alone(id) ? chosen[id] : space.sample(random),
        ]),
      );
      const step = env.step(actions as never);
      for (const [id, reward] of Object.entries(step.rewards))
        returns.set(id, (returns.get(id) ?? 0) + reward);
      ({ observations } = step);
      isOver = Object.values(step.truncations).some(Boolean);
    }
    return { returns, last: env.getState() };
  });
}

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

/**
 * The first elite that satisfies `isGood` for the second time in succession, or the last one if none does.
 */
async function trained(
  { name, max_steps, ...row }: LearningRow,
  seed: number,
  isGood: (elite: AgentState) => boolean = () => false,
): Promise<{ readonly elite: AgentState; readonly passed: boolean }> {
  let best: AgentState | null = null;
  let inSuccession = 0;
  await runPopulation(manifestOf({ name, max_steps, ...row }), {
    seed,
    workers: 1,
    atBoundary: ({ state: { elite } }) => {
      if (!elite || elite.steps > max_steps) return true;
      best = elite;
      inSuccession = isGood(elite) ? inSuccession + 1 : 0;
      return inSuccession === 2;
    },
  });
  if (!best) throw new Error(`${name}: no generation ended within ${max_steps} steps`);
  return { elite: best, passed: inSuccession === 2 };
}

async function speaker(row: LearningRow, seeds: readonly number[]): Promise<void> {
  const world = manifestOf(row).environment.name;
  const near = scripts.find((script) => script.id === world && script.near)?.near;
  if (!near) throw new TypeError(`${row.name}: no goal is known in ${world}`);
  const judge = await Judge.in(world, row.episodes);
  const atGoal = (elite: AgentState, episodes: number): number => {
    const met = play(world, elite, { episodes }).flatMap(({ last }) => near(last));
    return met.filter(Boolean).length / met.length;
  };
  const lines: string[][] = [];
  const outcomes: SeedOutcome[] = [];
  for (const seed of seeds) {
    const start = performance.now();
    const { elite, passed } = await trained(
      row,
      seed,
      (agent) => judge.score(agent) >= row.threshold && atGoal(agent, FEW) >= AT_GOAL,
    );
    const score = judge.score(elite);
    outcomes.push({ passed, steps: elite.steps, score, seconds: (performance.now() - start) / 1000 });
    lines.push([
      String(seed),
      passed ? formatNumber(elite.steps, 0) : "not reached",
      formatNumber(score, 1),
      `${formatNumber(100 * atGoal(elite, EPISODES), 1)} %`,
    ]);
  }
  console.log(
    `\n## ${row.name}: ${row.threshold} and ${100 * AT_GOAL} % of episodes at the goal, twice in succession\n`,
  );
  console.log(
    markdownTable(["seed", "both at step", "score then", `at the goal, of ${EPISODES} episodes`], lines),
  );
  recordLearning({
    row: `${row.name}-goal`,
    title: `${row.name}: the score, and ${100 * AT_GOAL} % of episodes at the goal`,
    command: `npm run results:teams -- --row ${row.name}`,
    must_pass: MUST_PASS,
    outcomes,
  });
}

const isAdversary = (id: string): boolean => id.startsWith("adversary");

async function tag(seeds: readonly number[]): Promise<void> {
  const reward = (played: readonly Played[]): number =>
    mean(played.map(({ returns }) => mean([...returns].filter(([id]) => isAdversary(id)).map(([, r]) => r))));
  const row: LearningRow = {
    name: "tag-ippo",
    template: `IPPO on ${TAG}`,
    manifest: teamManifest("IPPO", TAG),
    // Fitness sums over both opposing sides, so it is meaningless here.
    threshold: Number.POSITIVE_INFINITY,
    max_steps: TAG_STEPS,
    population: 1,
  };
  const random = reward(play(TAG, null));
  const lines: string[][] = [];
  const times: number[] = [];
  for (const seed of seeds) {
    const { elite } = await trained(row, seed);
    const learnt = reward(play(TAG, elite, { alone: isAdversary }));
    times.push(learnt / random);
    lines.push([String(seed), formatNumber(learnt, 1), formatNumber(learnt / random, 1)]);
  }
  console.log(
    `\n## tag-ippo: reward of an adversary against a random prey, ${EPISODES} episodes, after ${formatNumber(TAG_STEPS, 0)} steps`,
  );
  console.log(`Random adversaries get ${formatNumber(random, 2)}; trained ones must get 3 times as much.\n`);
  console.log(markdownTable(["seed", "trained", "times the random ones'"], lines));
  record({
    row: row.name,
    title: `hunters of IPPO in tag after ${formatNumber(TAG_STEPS, 0)} steps`,
    command: `npm run results:teams -- --row ${row.name}`,
    figures: [{ name: "reward against random hunters", unit: "x", target: { at_least: 3 }, digits: 1 }],
    summaries: [summarise(times)],
  });
}

const ROWS: Readonly<Record<string, (seeds: readonly number[]) => Promise<void>>> = {
  "speaker-maddpg": (seeds) => speaker(findLearningRow("speaker-maddpg"), seeds),
  "speaker-matd3": (seeds) => speaker(findLearningRow("speaker-matd3"), seeds),
  "tag-ippo": tag,
};

const { values } = parseArgs({
  options: {
    row: { type: "string", multiple: true, default: Object.keys(ROWS) },
    seeds: { type: "string", default: String(SEEDS.length) },
  },
});
const count = Number(values.seeds);
if (!Number.isInteger(count) || count < 1 || count > SEEDS.length)
  throw new RangeError(`--seeds: found ${values.seeds}, allowed integers from 1 to ${SEEDS.length}`);
const unknown = values.row.find((name) => !(name in ROWS));
if (unknown !== undefined)
  throw new RangeError(`--row: found ${unknown}, allowed ${Object.keys(ROWS).join(", ")}`);

if (!(await buildLibIfStale())) process.exitCode = 1;
else {
  console.log(machineNote());
  for (const name of values.row) await ROWS[name]?.(SEEDS.slice(0, count));
}
