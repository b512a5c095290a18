/** Cache of programs, each traced once per agent structure and environment. */
import { AgingCache } from "../../kernels/devices.ts";
import type { Program } from "../../kernels/index.ts";
import { hyperparametersIn, requireRead } from "../../rl/contract.ts";
import type { CompiledEnvironment } from "../../rl/environments.ts";
import { structureKey } from "../../rl/networks.ts";
import {
  type AgentStructure,
  actProgram,
  batchGradientsProgram,
  collectProgram,
  columnsProgram,
  copyProgram,
  drawProgram,
  type EvolutionStructure,
  estimateProgram,
  evaluateProgram,
  evolutionLearnProgram,
  evolutionProgram,
  gradientsProgram,
  greedyProgram,
  hindsightLearnProgram,
  hindsightStoreProgram,
  iterationProgram,
  judgeProgram,
  keepProgram,
  keptLayout,
  keptMask,
  type LookAhead,
  learnProgram,
  lessonsProgram,
  lookAheadProgram,
  type MemoryKind,
  type OffPolicyStructure,
  type OnPolicyStructure,
  PLAIN_MEMORY,
  perturbedActProgram,
  perturbProgram,
  playProgram,
  policyProgram,
  resetProgram,
  rolloutLearnProgram,
  samplingProgram,
  scheduled,
  selfPlayProgram,
  statisticsProgram,
  stepProgram,
  storeProgram,
  turnProgram,
  valueProgram,
  watchedProgram,
} from "../../rl/programs.ts";
import { type AgentSpaces, choicesOf, spaceToJson } from "../../rl/spaces.ts";
import { scheduleField } from "../../specs/algorithms.ts";
import type { AgentState } from "../member/agentState.ts";
import { algorithmOf } from "../member/registry.ts";

/** The agent structure that determines its programs, from the agent's state. */
export function structureOf(agent: AgentState): AgentStructure {
  const networks = Object.fromEntries(Object.entries(agent.networks).map(([name, { data }]) => [name, data]));
  const algorithm = algorithmOf(agent);
  // Parameters of the last layer are not learnt. Their widths are the head's, which are symbols, so one
  // program serves them all.
  const learnt = Object.entries(agent.parameters ?? {}).filter(
    ([name]) => !algorithm.lastLayer?.names.includes(name),
  );
  const parameters = Object.fromEntries(learnt.map(([name, { shape }]) => [name, shape]));
  const { hyperparameters, normalization } = agent;
  return {
    algorithm,
    networks,
    parameters,
    hyperparameters,
    ...(normalization && { normalization: normalization.settings }),
  };
}

/** Agents with equal keys run the same programs. */
export function agentKey(agent: AgentState): string {
  const { algorithm, networks, parameters, hyperparameters, normalization } = structureOf(agent);
  const structural = algorithm.structural.map((name) => `${name}=${hyperparameters[name]}`);
  return [
    algorithm.name,
    ...structural,
    ...scheduled(algorithm, hyperparameters).map(({ of, kind }) => `${scheduleField(of)}=${kind}`),
    ...Object.entries(networks).map(([name, data]) => `${name}:${structureKey(data)}`),
    ...Object.entries(parameters).map(([name, shape]) => `${name}:[${shape.join(", ")}]`),
    ...(normalization ? [`normalize:${JSON.stringify(normalization)}`] : []),
  ].join(";");
}

const memoryKey = ({ n_step, prioritized, shared, masked, demonstrations, her }: MemoryKind): string =>
  `${n_step},${prioritized}${shared ? ",shared" : ""}${masked ? ",masked" : ""}${demonstrations === undefined ? "" : `,${demonstrations} shown`}${her ? `,${Object.values(her).join()}` : ""}`;

/** A readable form of the key, without target networks. */
function structureText(agent: AgentState): string {
  const { targets } = algorithmOf(agent);
  return agentKey(agent)
    .split(";")
    .filter((part) => !Object.keys(targets).some((name) => part.startsWith(`${name}:`)))
    .join("; ")
    .replaceAll(":", ": ");
}

/** Keyed by the environment object: two may share an id but differ in their time limit. */
const compiledPrograms = new Map<CompiledEnvironment, AgingCache<Program>>();
const hostPrograms = new AgingCache<Program>();

/** Marks the end of a generation: evicts programs that were not requested in the last few. */
export function agePrograms(): void {
  hostPrograms.age();
  for (const [env, programs] of compiledPrograms) {
    programs.age();
    if (programs.size === 0) compiledPrograms.delete(env);
  }
}

function programsIn(env: CompiledEnvironment): AgingCache<Program> {
  const programs = compiledPrograms.get(env) ?? new AgingCache<Program>();
  compiledPrograms.set(env, programs);
  return programs;
}

/** Purpose of a program in a compiled environment. */
export type CompiledPurpose = "turn" | "lessons" | "reset" | "evaluate" | SlicedPurpose;
/** Programs that together run a turn in slices, by kind of algorithm. */
export const SLICED_TURN = {
  on_policy: ["collect", "gradients", "step"],
  off_policy: ["gradients", "play"],
  offline: ["gradients", "draw"],
} as const;
type SlicedPurpose = (typeof SLICED_TURN)[keyof typeof SLICED_TURN][number];
/** Programs that read a replay buffer, so they depend on its kind. */
const OF_MEMORY: readonly CompiledPurpose[] = ["turn", "lessons", "gradients", "play", "draw"];
/** Programs that play training episodes. */
const PLAYED: readonly CompiledPurpose[] = ["turn", "collect", "play"];

/**
 * A program that runs entirely on the device, in a compiled environment.
 * @param told Whether the turn tells its episodes (`Turn.tells_episodes`).
 */
export function compiledProgram(
  agent: AgentState,
  env: CompiledEnvironment,
  purpose: CompiledPurpose,
  memory: MemoryKind = PLAIN_MEMORY,
  told = false,
): Program {
  const programs = programsIn(env);
  if (purpose === "reset") return programs.get(purpose, () => resetProgram(env));
  const ofMemory = OF_MEMORY.includes(purpose) ? `${purpose}@${memoryKey(memory)}` : purpose;
  const kind = told && PLAYED.includes(purpose) ? `${ofMemory},episodes` : ofMemory;
  const layout = keptLayout(env, memory);
  return forAgent(programs, kind, agent, (structure) => {
    switch (purpose) {
      case "turn":
        switch (structure.algorithm.kind) {
          case "off_policy":
            return turnProgram(structure as OffPolicyStructure, env, memory, told);
          case "on_policy":
            return structure.algorithm.selfPlay
              ? selfPlayProgram(structure as OnPolicyStructure, env, told)
              : iterationProgram(structure as OnPolicyStructure, env, told, memory);
          case "evolution":
            return evolutionProgram(structure as EvolutionStructure, env);
        }
        break;
      case "lessons":
        return lessonsProgram(structure as OffPolicyStructure, layout, memory);
      case "evaluate":
        return evaluateProgram(structure, env);
      case "collect":
        return collectProgram(structure as OnPolicyStructure, env, told);
      case "gradients":
        return structure.algorithm.kind === "off_policy"
          ? batchGradientsProgram(structure as OffPolicyStructure, layout, memory)
          : gradientsProgram(structure as OnPolicyStructure, env, { masked: env.actionMask !== undefined });
      case "step":
        return stepProgram(structure as OnPolicyStructure);
      case "play":
        return playProgram(structure as OffPolicyStructure, env, memory, told);
      case "draw":
        return drawProgram(structure as OffPolicyStructure, memory);
    }
  });
}

/** Searches from positions of a game. */
export const searchProgram = (agent: AgentState, game: CompiledEnvironment, search: LookAhead): Program =>
  forAgent(programsIn(game), `search ${search.simulations}`, agent, (structure) =>
    lookAheadProgram(structure, game, search),
  );

/** An evaluation in a match in which the agent searches before it moves. */
export const searchingEvaluation = (
  agent: AgentState,
  match: CompiledEnvironment,
  search: LookAhead & { readonly game: CompiledEnvironment },
): Program =>
  forAgent(programsIn(match), `evaluate, search ${search.simulations}`, agent, (structure) =>
    evaluateProgram(structure, match, search),
  );

/** The program for an agent's structure, from the cache or newly traced. */
function forAgent(
  programs: AgingCache<Program>,
  use: string,
  agent: AgentState,
  traced: (structure: AgentStructure) => Program,
): Program {
  return programs.get(`${use}@${agentKey(agent)}`, () => {
    const structure = structureOf(agent);
    const program = traced(structure);
    // A buffer of another name would be zero for ever.
    requireRead(structure.algorithm, program.name, hyperparametersIn(program.states.keys()));
    return { ...program, structure: structureText(agent) };
  });
}

/** Purpose of a program that the host runs. */
export type HostPurpose =
  | "act"
  | "perturb"
  | "copy"
  | "greedy"
  | "watched"
  | "policy"
  | "value"
  | "judge"
  | "store"
  | "hindsight"
  | "statistics"
  | "learn"
  | "lessons"
  | "estimate"
  | SlicedHostPurpose;
/** Programs of a device that learns in slices beside an environment of the host, by kind of algorithm. */
export const SLICED_HOST_TURN = {
  on_policy: ["columns", "gradients", "step"],
  off_policy: ["act", "keep", "gradients"],
  offline: ["gradients", "draw"],
} as const;
type SlicedHostPurpose = (typeof SLICED_HOST_TURN)[keyof typeof SLICED_HOST_TURN][number];
/** Those whose programs depend on the kind of replay memory. */
const MEMORY_PURPOSES: readonly HostPurpose[] = [
  "store",
  "hindsight",
  "lessons",
  "learn",
  "estimate",
  "keep",
  "gradients",
  "draw",
];

/** A program for an environment that the host steps. */
export function hostProgram(
  agent: AgentState,
  given: AgentSpaces,
  purpose: HostPurpose,
  memory: MemoryKind = PLAIN_MEMORY,
): Program {
  const layout = keptLayout(given, memory);
  const { observation_space, action_space } = layout;
  const spaces = JSON.stringify([
    spaceToJson(observation_space),
    spaceToJson(action_space),
    keptMask(layout),
  ]);
  const kind = MEMORY_PURPOSES.includes(purpose) ? `${purpose}@${memoryKey(memory)}` : purpose;
  return forAgent(hostPrograms, `${kind}@${spaces}`, agent, (structure) => {
    const off = structure as OffPolicyStructure;
    const on = structure as OnPolicyStructure;
    const isOff = structure.algorithm.kind === "off_policy";
    const strategy = structure.algorithm.kind === "evolution" ? (structure as EvolutionStructure) : null;
    switch (purpose) {
      case "perturb":
        return perturbProgram(structure as EvolutionStructure);
      case "copy":
        return copyProgram(structure as EvolutionStructure);
      case "act":
        if (strategy) return perturbedActProgram(strategy, layout);
        return isOff ? actProgram(off, layout) : samplingProgram(on, layout);
      case "greedy":
        return greedyProgram(structure, layout);
      case "watched":
        return watchedProgram(structure, layout);
      case "policy":
        return policyProgram(structure, layout, { mask: choicesOf(layout.action_space) > 0 });
      case "value":
        return valueProgram(structure, layout);
      case "judge":
        return judgeProgram(structure, layout);
      case "store":
        return (memory.her ? hindsightStoreProgram : storeProgram)(off, layout, memory);
      case "hindsight":
        return hindsightLearnProgram(off, layout, memory);
      case "statistics":
        return statisticsProgram(off, layout);
      case "lessons":
        return lessonsProgram(off, layout, memory);
      case "estimate":
        // Only an agent that fits values has such a program.
        return estimateProgram(off as Parameters<typeof estimateProgram>[0], layout, memory);
      case "keep":
        return keepProgram(off, layout, memory);
      case "draw":
        return drawProgram(off, memory);
      case "columns":
        return columnsProgram(on, layout);
      case "gradients":
        return isOff
          ? batchGradientsProgram(off, layout, memory)
          : gradientsProgram(on, layout, { masked: true });
      case "step":
        return stepProgram(on);
      case "learn":
        if (strategy) return evolutionLearnProgram(strategy, layout);
        return isOff ? learnProgram(off, layout) : rolloutLearnProgram(on, given, memory);
    }
  });
}
