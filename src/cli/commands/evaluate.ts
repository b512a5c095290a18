import {
  agentFromState,
  type MatchOptions,
  RULE_OPPONENTS,
  type SupportedAgent,
  testCompiled,
  testTurn,
} from "../../agents/classes.ts";
import { HostMemberRunner } from "../../agents/members.ts";
import { requireSeed } from "../../evolution/random.ts";
import {
  isCompiled,
  loadEnvironment,
  makeVector,
  type RegisteredEnvironment,
} from "../../rl/environments.ts";
import { type AnyVectorEnvironment, endedLanes } from "../../rl/faces.ts";
import type { Space } from "../../rl/spaces.ts";
import { asRegistered, sandboxedLanes, type UserEnvironment } from "../../sandbox/environments.ts";
import { type CliIo, EXIT, jsonLine } from "../CliIo.ts";
import type { Command, CommandLine } from "../CommandLine.ts";
import {
  ENVIRONMENT_OPTIONS,
  givenEnvironment,
  loadAgent,
  ownEnvironment,
  requireFit,
} from "../loadAgent.ts";
import { loadGivenModule, MODULE_OPTION } from "../modules.ts";
import { metBy } from "../opponents.ts";

/** Maximum number of parallel episodes: more use memory and gain little. */
const MOST_LANES = 64;

interface Returns {
  /** The return of each episode, summed over all agents. */
  readonly returns: readonly number[];
  /** Each agent's own returns, by id; null for a single agent. */
  readonly agents: Readonly<Record<string, readonly number[]>> | null;
}

/** The environment that episodes are played in. */
interface Stage {
  readonly observation_space: Space;
  /** Makes lanes; the caller closes them. */
  readonly lanes: (num_envs: number) => AnyVectorEnvironment | Promise<AnyVectorEnvironment>;
}

/**
 * Returns of greedy episodes, in order. Episode i is the one that an environment from `make` plays after
 * `reset({ seed: seed + i })`, regardless of the number of episodes.
 */
async function playEpisodes(
  agent: SupportedAgent,
  stage: Stage,
  { episodes, seed }: { readonly episodes: number; readonly seed: number },
): Promise<Returns> {
  const { observation_space } = stage;
  const ids = observation_space.kind === "Agents" ? observation_space.ids : null;
  const rows: Float64Array[] = [];
  for (let first = 0; first < episodes; first += MOST_LANES) {
    const lanes = Math.min(MOST_LANES, episodes - first);
    rows.push(...(await playTogether(agent, await stage.lanes(lanes), ids?.length ?? 1, seed + first)));
  }
  const own = (index: number) => rows.map((row) => row[index] ?? 0);
  return {
    returns: rows.map((row) => row.reduce((sum, one) => sum + one, 0)),
    agents: ids && Object.fromEntries(ids.map((id, index) => [id, own(index)])),
  };
}

/** Returns of an agent's games against an opponent, with as many draws whatever their number; null without an opponent. */
async function playMatch(
  agent: SupportedAgent,
  env: RegisteredEnvironment | UserEnvironment,
  match: MatchOptions,
  { episodes, seed }: { readonly episodes: number; readonly seed: number },
): Promise<Returns | null> {
  const opponents = metBy(env, match);
  if (opponents === null) return null;
  const loop = Math.ceil(episodes / MOST_LANES);
  const test = { loop, num_envs: MOST_LANES, max_steps: null, key: [seed, 0], opponents } as const;
  if ("module" in env)
    return { returns: (await testInCode(agent, env, test)).slice(0, episodes), agents: null };
  if (!isCompiled(env)) return null;
  return { returns: testCompiled(agent, env, test).episodes.returns.slice(0, episodes), agents: null };
}

/** Returns of a test's games in code. */
async function testInCode(
  { device, state }: SupportedAgent,
  env: UserEnvironment,
  test: Parameters<typeof testTurn>[0],
): Promise<readonly number[]> {
  const lanes = await sandboxedLanes(env, test.num_envs);
  const runner = new HostMemberRunner(device, lanes, null);
  try {
    const work = runner.evaluate(state, testTurn(test));
    let step = work.next();
    for (; !step.done; step = work.next()) await step.value.awaiting;
    return step.value.episodes.returns;
  } finally {
    runner.release();
    lanes.close();
  }
}

/** Returns of each lane's first episode, one number per agent. */
async function playTogether(
  agent: SupportedAgent,
  env: AnyVectorEnvironment,
  agents: number,
  seed: number,
): Promise<Float64Array[]> {
  const { num_envs } = env;
  try {
    const returns = Array.from({ length: num_envs }, () => new Float64Array(agents));
    const running = Array<boolean>(num_envs).fill(true);
    let { observation } = await env.reset({ seed });
    agent.resetHiddenState();
    while (running.includes(true)) {
      const actions = agent.getAction(observation, { num_envs, training: false });
      const step = await env.step(typeof actions === "number" ? [actions] : actions);
      const ended = endedLanes(step);
      for (const [lane, sums] of returns.entries()) {
        if (!running[lane]) continue;
        for (let i = 0; i < agents; i++) sums[i] = (sums[i] ?? 0) + (step.reward[lane * agents + i] ?? 0);
        running[lane] = ended[lane] === 0;
      }
      observation = step.observation;
    }
    return returns;
  } finally {
    env.close();
  }
}

const EPISODES = 20;
const SEED = 42;

export const evaluate: Command = {
  name: "evaluate",
  summary: "Runs greedy episodes with a trained agent: an agent file, or the elite of a checkpoint.",
  operands: ["CHECKPOINT"],
  options: {
    episodes: { value: "N", help: `Number of episodes (default: ${EPISODES}).` },
    seed: { value: "N", help: `Seed of the first episode; each further episode adds 1 (default: ${SEED}).` },
    search: {
      value: "N",
      help: "Games without chance: positions that a search adds to its tree before each move (default: the policy moves alone).",
    },
    opponent: {
      value: "NAME",
      help: `Games: who has the other seat, ${RULE_OPPONENTS.join(", ")} (default: random with --search, else the agent itself).`,
    },
    ...ENVIRONMENT_OPTIONS,
    ...MODULE_OPTION,
    json: {
      help: "Prints one JSON object: mean, std, min, max, returns, ...; for several agents also agent_means and agent_returns; with an opponent its name, and the simulations of a search.",
    },
  },
  run: runEvaluate,
};

async function runEvaluate(line: CommandLine, io: CliIo): Promise<number> {
  await loadGivenModule(line);
  const path = line.operand(0);
  const episodes = line.integer("episodes", 1) ?? EPISODES;
  const seed = requireSeed(line.integer("seed", 0) ?? SEED, "--seed");
  const simulations = line.integer("search", 2);
  const opponent = line.choice("opponent", RULE_OPPONENTS) ?? (simulations === null ? null : "random");
  const match = { ...(simulations !== null && { search: { simulations } }), ...(opponent && { opponent }) };
  const given = await givenEnvironment(line, io.store);

  const { agent: state, place } = await loadAgent(io, path);
  const env = given ?? (await ownEnvironment(line, io.store, { path, place }));
  requireFit(state, env, path);

  const { observation_space, action_space } = env;
  const agent = agentFromState(state, { observation_space, action_space, hp_config: null });
  const { returns, agents } =
    (await playMatch(agent, env, match, { episodes, seed })) ??
    (await playEpisodes(agent, { observation_space, lanes: await lanesIn(env) }, { episodes, seed }));
  agent.release();

  const summary = summaryOf(returns);
  const means = Object.entries(agents ?? {}).map(([id, own]) => [id, summaryOf(own).mean] as const);
  if (line.flag("json")) {
    const { algorithm, index } = state;
    const ofAgents = agents === null ? {} : { agent_means: Object.fromEntries(means), agent_returns: agents };
    const said = { ...summary, episodes, seed, environment: env.id, algorithm, index, returns };
    const met = { ...(opponent && { opponent }), ...(simulations !== null && { simulations }) };
    jsonLine(io.stdout, { ...said, ...met, ...ofAgents });
    return EXIT.ok;
  }
  const [mean, std, min, max] = [summary.mean, summary.std, summary.min, summary.max].map((x) =>
    x.toFixed(2),
  );
  io.stdout.write(
    `${state.algorithm} agent ${state.index} in ${env.id}${opponent === null ? "" : ` against ${opponent}`}: mean return ${mean}, std ${std}, min ${min}, max ${max} over ${episodes} episodes\n` +
      (agents === null
        ? ""
        : `Each agent's mean: ${means.map(([id, own]) => `${id} ${own.toFixed(2)}`).join(", ")}\n`) +
      `Returns: ${returns.map((x) => String(Number(x.toFixed(2)))).join(" ")}\n`,
  );
  return EXIT.ok;
}

/** Returns a function that makes lanes of a registered environment or of one from a user's module. */
async function lanesIn(place: RegisteredEnvironment | UserEnvironment): Promise<Stage["lanes"]> {
  const env = await asRegistered(place);
  if ("module" in env) return (num_envs) => sandboxedLanes(env, num_envs);
  await loadEnvironment(env.id);
  return (num_envs) => makeVector(env.id, num_envs, env.options);
}

/** Mean, population standard deviation and extremes. */
function summaryOf(returns: readonly number[]) {
  const mean = returns.reduce((sum, x) => sum + x, 0) / returns.length;
  const variance = returns.reduce((sum, x) => sum + (x - mean) ** 2, 0) / returns.length;
  const least = returns.reduce((a, b) => Math.min(a, b));
  const most = returns.reduce((a, b) => Math.max(a, b));
  return { mean, std: Math.sqrt(variance), min: least, max: most };
}
