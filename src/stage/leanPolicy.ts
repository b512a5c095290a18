/** The smallest form of a policy for a link that plays no worse: 100 episodes with rounded weights beside as many with half floats. */
import type { AgentState } from "../agents/members.ts";
import { WasmDevice } from "../kernels/devices.ts";
import { findEnvironment, loadEnvironment, type RegisteredEnvironment } from "../rl/environments.ts";
import { isUserEnvironment } from "../specs/sections.ts";
import { GreedyPolicy } from "./GreedyPolicy.ts";
import { joined } from "./joined.ts";
import { Play } from "./Play.ts";
import { playedEnvironment } from "./PlayedEnvironment.ts";
import { type PackedPolicy, packPolicy, quantisePolicy, unpackPolicy } from "./packedPolicy.ts";

const EPISODES = 100;
/** Levels of rounded weights on each side of 0, of which the first without a loss is taken: 4, 5, 6 and 8 bits. */
const LEVELS = [7, 15, 31, 127] as const;
/** Largest losses that count as none, as parts of the mean return and of the returns' standard deviation: a small effect. */
const [OF_MEAN, OF_DEVIATION] = [0.01, 0.25] as const;
/** One-sided 95 % quantile of Student's t with 99 degrees of freedom. */
const T = 1.66;
/** Milliseconds for all episodes; without enough of them, weights stay half floats. */
const MOST_MS = 4000;

/**
 * Whether rounding lost nothing: the lower 95 % bound of the mean difference of the returns, episode by episode from the
 * same starts, is above -1 % of the mean return, or above minus a quarter of the
 * returns' standard deviation.
 */
export function losesNothing(whole: readonly number[], rounded: readonly number[]): boolean {
  const differences = rounded.map((x, at) => x - (whole[at] ?? 0));
  const [gain, all] = [spread(differences), spread(whole)];
  const margin = Math.max(OF_MEAN * Math.abs(all.mean), OF_DEVIATION * all.deviation);
  return gain.mean - T * (gain.deviation / Math.sqrt(whole.length)) >= -margin;
}

function spread(values: readonly number[]): { readonly mean: number; readonly deviation: number } {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (values.length - 1);
  return { mean, deviation: Math.sqrt(variance) };
}

/** Returns of episodes from the seeds 1, 2, …; null if they take longer than until `end`. */
function returnsOf(
  env: RegisteredEnvironment,
  agent: AgentState,
  end: number,
  now: () => number,
): readonly number[] | null {
  const play = new Play(playedEnvironment(env), new GreedyPolicy(new WasmDevice(), env, agent), 1);
  const returns: number[] = [];
  try {
    for (;;) {
      while (!play.ended) {
        play.step();
        if (now() > end) return null;
      }
      returns.push(play.total);
      if (returns.length === EPISODES) return returns;
      play.restart(play.seed + 1);
    }
  } finally {
    play.close();
  }
}

/**
 * Encodes a policy for a link.
 * @param now Milliseconds.
 */
export async function leanPolicy(
  policy: PackedPolicy,
  now: () => number = () => performance.now(),
): Promise<Uint8Array<ArrayBuffer>> {
  const { environment, env_config } = policy;
  const halves = packPolicy(policy);
  if (isUserEnvironment(environment)) return halves;
  const end = now() + MOST_MS;
  await loadEnvironment(environment);
  const env = findEnvironment(environment, env_config);
  // As long as that takes, rounded weights take at least once more.
  const whole = returnsOf(env, unpackPolicy(halves).agent, now() + MOST_MS / 2, now);
  if (whole === null) return halves;
  for (const levels of LEVELS) {
    const { header, body } = quantisePolicy(policy, levels);
    const rounded = joined(header, body);
    const returns = returnsOf(env, unpackPolicy(rounded).agent, end, now);
    if (returns !== null && losesNothing(whole, returns)) return rounded;
  }
  return halves;
}
