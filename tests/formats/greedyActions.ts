import type { FileStore } from "../../src/storage/index.ts";
import { loadAgent } from "../../src/training/index.ts";

/** Observations of CartPole; their first three numbers are ones of Pendulum. */
const OBSERVATIONS = [
  [0, 0, 0, 0],
  [0.5, -1, 0.1, 1],
  [-2, 0.5, -0.2, -0.5],
  [1, 2, 0.05, 3],
  [-40, 60, 9, -80],
  [70, -50, -8, 90],
];

/** What the agent of a file does, of which its weights are the only cause. */
export async function greedyActions(path: string, store: FileStore): Promise<number[][]> {
  const agent = await loadAgent(path, { store });
  const [width = 0] = agent.observation_space.shape;
  return OBSERVATIONS.map((numbers) => {
    const action = agent.getAction(Float32Array.from(numbers.slice(0, width)), { training: false });
    return typeof action === "number" ? [action] : [...action];
  });
}
