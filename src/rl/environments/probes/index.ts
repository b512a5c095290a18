/**
 * Probe environments: tasks of one or two steps whose values and best actions are known exactly, so that each shows
 * one part of an algorithm to be right or wrong. Taken as a ladder: the first that fails names the part.
 */
import type { CompiledEnvironment } from "../definition/compiledEnvironment.ts";
import { probeDrawing } from "./drawProbe.ts";
import { type ProbeName, probeDefinitions } from "./probeDefinitions.ts";
import { type ProbeAction, type ProbeObservation, probeEnvironment } from "./probeEnvironment.ts";
import { type ProbeFacts, probeSolution } from "./probeSolution.ts";

export type { ProbeName } from "./probeDefinitions.ts";
export type { ProbeAction, ProbeObservation } from "./probeEnvironment.ts";
export { PROBE_DISCOUNT, type ProbeFacts } from "./probeSolution.ts";

/** A probe with what is known about it. */
export interface ProbeEnvironment {
  readonly name: ProbeName;
  readonly observation: ProbeObservation;
  readonly action: ProbeAction;
  /** Registered under `rlkit/<name>[-image|-mixed][-continuous]-v0`. */
  readonly environment: CompiledEnvironment;
  /** Facts of every observation that occurs. */
  readonly solution: readonly ProbeFacts[];
}

const observations: readonly ProbeObservation[] = ["vector", "image", "mixed"];
const actions: readonly ProbeAction[] = ["discrete", "continuous"];

/** All probes: five tasks, each seen as an index, an image or both, each with discrete and with Box actions. */
export const probeEnvironments: readonly ProbeEnvironment[] = observations.flatMap((observation) =>
  actions.flatMap((action) =>
    probeDefinitions[observation === "mixed" ? "mixed" : "single"].map((definition) => {
      const environment = probeEnvironment(definition, observation, action);
      const solution = probeSolution(definition, observation, action);
      const { action_space } = environment;
      const draw = probeDrawing({ observation, solution, action_space });
      return {
        name: definition.name,
        observation,
        action,
        environment: { ...environment, draw },
        solution,
      };
    }),
  ),
);
