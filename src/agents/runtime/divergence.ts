/** Checks for members whose weights or returns are no longer finite. */

import { DivergedError } from "../../evolution/members.ts";
import type { AgentState } from "../member/agentState.ts";
import { algorithmOf } from "../member/algorithmOf.ts";

const diverged = (slot: number, what: string): DivergedError =>
  new DivergedError(
    slot,
    `member ${slot}: ${what} is no longer a finite number; the learning rate is probably too high for this environment`,
  );

const isFinite = (values: Float32Array): boolean => values.every((value) => Number.isFinite(value));

/** @throws DivergedError naming the network or the parameter that has numbers that are not finite. */
export function requireFinite(agent: AgentState, slot: number): void {
  const { targets } = algorithmOf(agent);
  for (const [network, { tensors }] of Object.entries(agent.networks)) {
    if (network in targets) continue;
    for (const values of Object.values(tensors)) {
      if (!isFinite(values)) throw diverged(slot, `a weight of network ${network}`);
    }
  }
  for (const [name, { values }] of Object.entries(agent.parameters ?? {}))
    if (!isFinite(values)) throw diverged(slot, `parameter ${name}`);
}

/** @throws DivergedError when the mean return is not finite. */
export function requireFitness(fitness: number, slot: number): number {
  if (!Number.isFinite(fitness)) throw diverged(slot, "the return of its evaluation");
  return fitness;
}
