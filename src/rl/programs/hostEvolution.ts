/**
 * Programs of evolution strategies beside environments of the host: passes of lanes, each of which plays an episode of a
 * copy, and the step that follows from the returns of all copies.
 */
import {
  add,
  constant,
  greater,
  matmul,
  type Program,
  reshape,
  type State,
  select,
  state,
  type Tensor,
  trace,
  transpose,
} from "../../kernels/index.ts";
import { legalActions } from "../contract/choices.ts";
import { uniforms } from "../contract/inputs.ts";
import type { AgentSpaces } from "../spaces.ts";
import { greedyAction } from "./episodes.ts";
import {
  EVOLUTION,
  type EvolutionStructure,
  flag,
  followSteps,
  learnCopies,
  noiseOptions,
  perturbed,
} from "./evolution.ts";
import { lanes, networkInput } from "./lanes.ts";
import { readNetworks } from "./learning.ts";
import { lanesMemory } from "./memory.ts";
import { observedMoments } from "./observedMoments.ts";
import { copyCount, rowsOfCopies, unscaled } from "./perturbation.ts";
import { keepRowNoise, keptRowNoise, type RowNoise, withRowNoise } from "./rowNoise.ts";

/**
 * Buffers of a pass. `copies`: the copy that each lane plays, i32. `rows`: the number of its episode, u32. `alive`: 1 while
 * its episode runs. `step`: number of the step, which differs between all steps of a turn, i32. `begins`: 1 in the first
 * step of an iteration, i32.
 */
export const PASS = {
  copies: "evolution.copies",
  rows: "evolution.rows",
  alive: "evolution.alive",
  step: "evolution.step",
  begins: "evolution.begins",
} as const;

const SEEN = ["count", "first", "second", "outliers"] as const;

/** Buffers of what was gathered of observations so far. */
const seenStates = (size: number): State[] => SEEN.map((part) => state(`evolution.seen.${part}`, [size]));

/** Sums of observations in buffers, or null for an agent that takes observations as they are. */
function seenMoments({ normalization }: EvolutionStructure, { observation_space }: AgentSpaces, obs: Tensor) {
  const moments = observedMoments(normalization, observation_space, obs, (mean) => {
    const centre = state("evolution.centre", mean.shape);
    const begins = greater(state(PASS.begins, [], { dtype: "i32" }).read(), constant(0, "i32"));
    const chosen = select(begins, mean, centre.read());
    centre.write(chosen);
    return chosen;
  });
  const size = moments?.gathering.start[0]?.shape[0];
  return moments && typeof size === "number" ? { moments, buffers: seenStates(size) } : null;
}

/** Draws the noise of the copies in `evolution.copies`, for the steps of their episodes. */
export function perturbProgram(structure: EvolutionStructure): Program {
  return trace(`${structure.algorithm.name}.perturb`, () => {
    followSteps(structure);
    const networks = readNetworks(structure);
    const options = noiseOptions(structure);
    const copy = state(PASS.copies, [lanes], { dtype: "i32" }).read();
    const signs = flag(structure, "antithetic") ? 2 : 1;
    keepRowNoise(networks, options.rank, lanes, rowsOfCopies(networks, copy, { signs }, options));
  });
}

/** Name of the buffer of a copy's tensor, such as "actor.encoder.linear_1.weight". */
export const copyBuffer = (tensor: string): string => `copy.${tensor}`;

/** Writes the weights of the copy in `evolution.copies` [1] as a policy of its own: `copy.<network>.<tensor>`. */
export function copyProgram(structure: EvolutionStructure): Program {
  return trace(`${structure.algorithm.name}.copy`, () => {
    followSteps(structure);
    const networks = readNetworks(structure);
    const copy = state(PASS.copies, [1], { dtype: "i32" }).read();
    const signs = flag(structure, "antithetic") ? 2 : 1;
    const noise = rowsOfCopies(networks, copy, { signs }, noiseOptions(structure));
    for (const [network, { parameters }] of Object.entries(networks))
      for (const [name, value] of Object.entries(parameters))
        state(copyBuffer(`${network}.${name}`), value.shape).write(
          copiedWeights(value, noise.get(value) as RowNoise),
        );
  });
}

/** A tensor with the noise of its only row. */
function copiedWeights(value: Tensor, noise: RowNoise): Tensor {
  if ("vectors" in noise) return reshape(noise.vectors, value.shape);
  if ("matrices" in noise) return add(value, reshape(noise.matrices, value.shape));
  return noise.factors
    .map(({ left, right }) => reshape(matmul(transpose(left), right), value.shape))
    .reduce((whole, one) => add(whole, one), value);
}

/**
 * Actions of copies for `act.obs`, among those that `act.mask` allows: writes `act.applied`. Recurrent state is kept in
 * `memory.*`, and observations of running episodes enter the sums of an iteration.
 */
export function perturbedActProgram(structure: EvolutionStructure, layout: AgentSpaces): Program {
  const { algorithm } = structure;
  return trace(`${algorithm.name}.act`, () => {
    const obs = state("act.obs", [lanes, ...layout.observation_space.shape]).read();
    const { rank } = noiseOptions(structure);
    const own = readNetworks(structure);
    const networks = withRowNoise(own, keptRowNoise(own, rank, lanes, unscaled));
    const kept = lanesMemory(networks);
    const step = state(PASS.step, [], { dtype: "i32" }).read();
    const rows = state(PASS.rows, [lanes], { dtype: "u32" }).read();
    const { action, memory } = greedyAction(
      algorithm,
      networks,
      {
        obs: networkInput(structure, layout.observation_space, obs),
        memory: kept.read(),
        mask: legalActions(layout, lanes),
        draws: flag(structure, "sample_actions")
          ? (many) => uniforms("explore", step, rows, many)
          : undefined,
      },
      layout,
    );
    kept.write(memory);
    state("act.applied", action.shape, { dtype: action.dtype }).write(action);
    const seen = seenMoments(structure, layout, obs);
    if (!seen) return;
    const alive = state(PASS.alive, [lanes]).read();
    const before = seen.buffers.map((buffer) => buffer.read());
    for (const [i, value] of seen.moments.gathering.next(before, obs, alive).entries())
      seen.buffers[i]?.write(value);
  });
}

/** Learns from the copies' returns in `evolution.returns`. */
export function evolutionLearnProgram(structure: EvolutionStructure, layout: AgentSpaces): Program {
  return trace(`${structure.algorithm.name}.learn`, () => {
    followSteps(structure);
    const networks = readNetworks(structure);
    const own = perturbed(structure, networks);
    const returns = state(EVOLUTION.returns, [copyCount(own.copies)]).read();
    learnCopies(structure, networks, own, returns);
    // The observations themselves have been gathered: any of the lanes give the columns.
    const obs = state("act.obs", [lanes, ...layout.observation_space.shape]).read();
    const seen = seenMoments(structure, layout, obs);
    if (!seen) return;
    seen.moments.learn(seen.buffers.map((buffer) => buffer.read()));
    for (const buffer of seen.buffers) buffer.write(constant(0, "f32", buffer.decl.shape));
  });
}
