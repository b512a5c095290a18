/** Expected duration of a member's turn, relative to others. Affects the order of turns, never results. */
import type { AgentState } from "../../rl/members.ts";

const number = (value: unknown, otherwise: number): number =>
  typeof value === "number" && value > 0 ? value : otherwise;

/** Number of weights, times how often each environment step is learned from. */
export function expectedWork({ networks, hyperparameters }: AgentState): number {
  const { batch_size, learn_step, update_epochs } = hyperparameters;
  const weights = Object.values(networks)
    .flatMap(({ tensors }) => Object.values(tensors))
    .reduce((sum, tensor) => sum + tensor.length, 0);
  const uses =
    update_epochs === undefined ? number(batch_size, 1) / number(learn_step, 1) : number(update_epochs, 1);
  return weights * (1 + uses);
}
