/**
 * Probe environments: tasks of one or two steps whose values and best actions are known exactly. Each tests
 * one part of an algorithm. Run them in order: the first probe that fails shows which part is wrong.
 */
import type { CompiledEnvironment } from "../definition/compiledEnvironment.ts";
import { probeDrawing } from "./drawProbe.ts";
import { type ProbeName, probeDefinitions } from "./probeDefinitions.ts";
import { type ProbeAction, type ProbeObservation, probeEnvironment } from "./probeEnvironment.ts";
import { type ProbeFacts, probeSolution, type TeamProbeFacts, teamProbeSolution } from "./probeSolution.ts";
import { type TeamProbeName, teamProbeDefinitions } from "./teamProbeDefinitions.ts";
import { teamProbeEnvironment } from "./teamProbeEnvironment.ts";

/** A probe and its known solution. */
export interface ProbeEnvironment {
  readonly name: ProbeName;
  readonly observation: ProbeObservation;
  readonly action: ProbeAction;
  /** Registered under `rlkit/<name>[-image|-mixed][-continuous]-v0`. */
  readonly environment: CompiledEnvironment;
  /** Facts about every observation that occurs. */
  readonly solution: readonly ProbeFacts[];
}

const observations: readonly ProbeObservation[] = ["vector", "image", "mixed"];
const actions: readonly ProbeAction[] = ["discrete", "continuous"];

/** All probes: five tasks, observed as an index, an image or both, with discrete and with Box actions. */
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

/** A probe with two agents, and its known solution. */
export interface TeamProbe {
  readonly name: TeamProbeName;
  readonly action: ProbeAction;
  /** Registered under `rlkit/<name>[-continuous]-v0`. */
  readonly environment: CompiledEnvironment;
  /** Facts about every joint observation that occurs. */
  readonly solution: readonly TeamProbeFacts[];
}

/** All probes with two agents: seven tasks, each with discrete and with Box actions. */
export const teamProbes: readonly TeamProbe[] = actions.flatMap((action) =>
  teamProbeDefinitions.map((definition) => {
    const environment = teamProbeEnvironment(definition, action);
    const solution = teamProbeSolution(definition, action);
    const draw = probeDrawing({ observation: "mixed", solution, action_space: environment.action_space });
    return { name: definition.name, action, environment: { ...environment, draw }, solution };
  }),
);
