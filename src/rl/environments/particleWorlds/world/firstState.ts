import { add, type Dim, mul, reshape, stackColumns, type Tensor, zeros } from "../../../../kernels/index.ts";
import { drawInteger } from "../../dynamics/drawInteger.ts";
import { agentRows, wordsOf } from "./Scene.ts";
import type { WorldFacts } from "./WorldFacts.ts";

/** Number of draws for an initial state: x and y of each agent, then of each landmark, then the goals. */
export const firstDraws = ({ agents, landmarks, goals = 0 }: WorldFacts): number =>
  2 * agents.length + 2 * landmarks.count + goals;

/** Scales uniform draws in [0, 1) to [-range, range). */
const within = (draws: readonly Tensor[], range: number): Tensor =>
  add(mul(stackColumns(draws), 2 * range), -range);

/**
 * Initial state: agents at rest and silent at uniform positions; each goal is a uniformly random landmark.
 */
export function firstState(
  facts: WorldFacts,
  draws: readonly Tensor[],
  num_envs: Dim,
): Record<string, Tensor> {
  const { agents, landmarks, goals = 0 } = facts;
  const [moving, standing] = [2 * agents.length, 2 * landmarks.count];
  const shape = [num_envs, agents.length, 2];
  const rows = agentRows(facts, {
    num_envs,
    place: reshape(within(draws.slice(0, moving), 1), shape),
    velocity: zeros(shape),
    said: agents.map((agent) => zeros([num_envs, wordsOf(agent)])),
  });
  const goalDraws = draws.slice(moving + standing);
  return {
    agents: rows,
    ...(standing > 0 && {
      landmarks: within(draws.slice(moving, moving + standing), landmarks.range ?? 1),
    }),
    ...(goals > 0 && { goals: drawInteger(stackColumns(goalDraws), landmarks.count) }),
  };
}
