/** Finds members whose training diverged, before they are evaluated or stored. */
import { DivergedError } from "../../evolution/members.ts";
import { ownName } from "../models/WeightSource.ts";
import type { PolicyState } from "./PolicyState.ts";

const diverged = (slot: number, what: string): DivergedError =>
  new DivergedError(
    slot,
    `member ${slot}: ${what} is no longer a finite number; lower the learning rate or max_grad_norm`,
  );

/** A sum of f32 is finite as f64 unless one of them is not. */
function isFinite(values: Float32Array): boolean {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += Math.abs(values[i] ?? 0);
  return Number.isFinite(sum);
}

/** @throws DivergedError naming a weight of the actor or the critic that is not finite. */
export function requireFinite(policy: PolicyState, slot: number): PolicyState {
  for (const role of ["actor", "critic"] as const)
    for (const [name, values] of Object.entries(policy))
      if (name.startsWith(ownName(role, "")) && !isFinite(values))
        throw diverged(slot, `a weight of ${name}`);
  return policy;
}

/** @throws DivergedError for a fitness that is not finite. */
export function requireFitness(fitness: number, slot: number): number {
  if (!Number.isFinite(fitness)) throw diverged(slot, "the fitness of its evaluation");
  return fitness;
}
