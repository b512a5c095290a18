import { agentFromState } from "../../agents/classes.ts";
import { requireSeed } from "../../evolution/random.ts";
import { loadEnvironment, makeVector, type RegisteredEnvironment } from "../../rl/environments.ts";
import { sandboxedLanes, type UserEnvironment } from "../../sandbox/environments.ts";
import { type CliIo, EXIT } from "../CliIo.ts";
import type { Command, CommandLine } from "../CommandLine.ts";
import { ENVIRONMENT_OPTIONS, givenEnvironment, ownEnvironment } from "../environmentOption.ts";
import { jsonLine } from "../jsonLines.ts";
import { loadAgent, requireFit } from "../loadAgent.ts";
import { loadGivenModule, MODULE_OPTION } from "../modules.ts";
import { playEpisodes, type Stage } from "../playEpisodes.ts";

const EPISODES = 20;
const SEED = 42;

export const evaluate: Command = {
  name: "evaluate",
  summary: "Runs greedy episodes with a trained agent: an agent file, or the elite of a checkpoint.",
  operands: ["CHECKPOINT"],
  options: {
    episodes: { value: "N", help: `Number of episodes (default: ${EPISODES}).` },
    seed: { value: "N", help: `Seed of the first episode; each further episode adds 1 (default: ${SEED}).` },
    ...ENVIRONMENT_OPTIONS,
    ...MODULE_OPTION,
    json: {
      help: "Prints one JSON object: mean, std, min, max, returns, ...; for several agents also agent_means and agent_returns.",
    },
  },
  run: runEvaluate,
};

async function runEvaluate(line: CommandLine, io: CliIo): Promise<number> {
  await loadGivenModule(line);
  const path = line.operand(0);
  const episodes = line.integer("episodes", 1) ?? EPISODES;
  const seed = requireSeed(line.integer("seed", 0) ?? SEED, "--seed");
  const given = await givenEnvironment(line, io.store);

  const { agent: state, place } = await loadAgent(io, path);
  const env = given ?? (await ownEnvironment(line, io.store, { path, place }));
  requireFit(state, env, path);

  const { observation_space, action_space } = env;
  const agent = agentFromState(state, { observation_space, action_space, hp_config: null });
  const stage = { observation_space, lanes: await lanesIn(env) };
  const { returns, agents } = await playEpisodes(agent, stage, { episodes, seed });
  agent.release();

  const summary = summaryOf(returns);
  const means = Object.entries(agents ?? {}).map(([id, own]) => [id, summaryOf(own).mean] as const);
  if (line.flag("json")) {
    const { algorithm, index } = state;
    const ofAgents = agents === null ? {} : { agent_means: Object.fromEntries(means), agent_returns: agents };
    const said = { ...summary, episodes, seed, environment: env.id, algorithm, index, returns };
    jsonLine(io.stdout, { ...said, ...ofAgents });
    return EXIT.ok;
  }
  const [mean, std, min, max] = [summary.mean, summary.std, summary.min, summary.max].map((x) =>
    x.toFixed(2),
  );
  io.stdout.write(
    `${state.algorithm} agent ${state.index} in ${env.id}: mean return ${mean}, std ${std}, min ${min}, max ${max} over ${episodes} episodes\n` +
      (agents === null
        ? ""
        : `Each agent's mean: ${means.map(([id, own]) => `${id} ${own.toFixed(2)}`).join(", ")}\n`) +
      `Returns: ${returns.map((x) => String(Number(x.toFixed(2)))).join(" ")}\n`,
  );
  return EXIT.ok;
}

/** Returns a function that makes lanes of a registered environment or of one from a user's module. */
async function lanesIn(env: RegisteredEnvironment | UserEnvironment): Promise<Stage["lanes"]> {
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
