import type { SupportedAgent } from "../rl/agents/index.ts";
import { makeVector, type RegisteredEnvironment } from "../rl/environments/index.ts";

/** Episodes side by side: more cost memory and gain little. */
const MOST_LANES = 64;

/**
 * Returns of greedy episodes, in order. Episode i is the one that `make` plays in the environment after
 * `reset({ seed: seed + i })`, however many there are. @param environment One that is loaded.
 */
export function playEpisodes(
  agent: SupportedAgent,
  environment: RegisteredEnvironment,
  { episodes, seed }: { readonly episodes: number; readonly seed: number },
): number[] {
  const returns: number[] = [];
  for (let first = 0; first < episodes; first += MOST_LANES) {
    const lanes = Math.min(MOST_LANES, episodes - first);
    returns.push(...playTogether(agent, environment, lanes, seed + first));
  }
  return returns;
}

function playTogether(
  agent: SupportedAgent,
  { id, options }: RegisteredEnvironment,
  num_envs: number,
  seed: number,
): number[] {
  const env = makeVector(id, num_envs, options);
  try {
    const returns = Array<number>(num_envs).fill(0);
    const running = Array<boolean>(num_envs).fill(true);
    let { observation } = env.reset({ seed });
    agent.resetHiddenState();
    while (running.includes(true)) {
      const actions = agent.getAction(observation, { num_envs, training: false });
      const step = env.step(typeof actions === "number" ? [actions] : actions);
      running.forEach((runs, lane) => {
        if (!runs) return;
        returns[lane] = (returns[lane] ?? 0) + (step.reward[lane] ?? 0);
        running[lane] = !step.terminated[lane] && !step.truncated[lane];
      });
      observation = step.observation;
    }
    return returns;
  } finally {
    env.close();
  }
}
