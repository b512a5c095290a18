import type { SupportedAgent } from "../agents/classes.ts";
import { type AnyVectorEnvironment, endedLanes } from "../rl/faces.ts";
import type { Space } from "../rl/spaces.ts";

/** Maximum number of parallel episodes: more use memory and gain little. */
const MOST_LANES = 64;

export interface Returns {
  /** The return of each episode, summed over all agents. */
  readonly returns: readonly number[];
  /** Each agent's own returns, by id; null for a single agent. */
  readonly agents: Readonly<Record<string, readonly number[]>> | null;
}

/** The environment that episodes are played in. */
export interface Stage {
  readonly observation_space: Space;
  /** Makes lanes; the caller closes them. */
  readonly lanes: (num_envs: number) => AnyVectorEnvironment | Promise<AnyVectorEnvironment>;
}

/**
 * Returns of greedy episodes, in order. Episode i is the one that an environment from `make` plays after
 * `reset({ seed: seed + i })`, regardless of the number of episodes.
 */
export async function playEpisodes(
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
