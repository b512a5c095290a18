/** Teams of small agents, their batches, and the results of algorithms in f64. */

import { type AgentState, structureOf } from "../../../../src/agents/members.ts";
import { iota, type Program, state, type Tensor, trace } from "../../../../src/kernels/index.ts";
import { learningUniforms } from "../../../../src/rl/contract/inputs.ts";
import type { OffPolicyAlgorithm } from "../../../../src/rl/contract.ts";
import { gradientsOf, readLearner, trainedBy } from "../../../../src/rl/programs/learning.ts";
import { knownBatch } from "../../../../src/rl/programs/offPolicy.ts";
import type { OffPolicyStructure } from "../../../../src/rl/programs.ts";
import {
  type AgentSpaces,
  Agents,
  Box,
  type Discrete,
  type MultiBinary,
  type MultiDiscrete,
} from "../../../../src/rl/spaces.ts";
import type { Buffers } from "../../../kernels/support/run.ts";
import type { PlainAgent, PlainOutcome, PlainTransition } from "../../support/plainTeam.ts";

/** An agent: its key, observation size and action space. */
export interface Mate {
  readonly key: string;
  readonly obs: number;
  readonly acts: Discrete | MultiDiscrete | MultiBinary | Box;
}

export const sees = (size: number): Box => new Box({ low: -1, high: 1, shape: [size] });

export const spacesOf = (mates: Readonly<Record<string, Mate>>): AgentSpaces => ({
  observation_space: new Agents(
    Object.fromEntries(Object.entries(mates).map(([id, { obs }]) => [id, sees(obs)])),
  ),
  action_space: new Agents(Object.fromEntries(Object.entries(mates).map(([id, { acts }]) => [id, acts]))),
});

const total = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0);

const startOf = ({ acts }: Mate): number => (acts.kind === "Discrete" ? acts.start : 0);

export const plainAgents = (mates: Readonly<Record<string, Mate>>): PlainAgent[] =>
  Object.values(mates).map(({ key, obs, acts }) => ({
    key,
    obs,
    nvec: acts.kind === "Discrete" ? [acts.n] : acts.kind === "MultiDiscrete" ? [...acts.nvec] : [],
    bits: acts.kind === "MultiBinary" ? total(acts.shape) : 0,
    numbers: acts.kind === "Box" ? acts.low.length : 0,
  }));

/** Random transitions. Some actions are masked, and the last agent has left in some rows. */
export function transitionsOf(
  agents: readonly PlainAgent[],
  rows: number,
  next: () => number,
  { left = true, forbidden = true } = {},
): PlainTransition[] {
  const fill = (n: number) => Array.from({ length: n }, () => 2 * next() - 1);
  const maskFor = ({ nvec, bits }: PlainAgent) => [
    ...nvec.flatMap((k) => {
      const legal = Math.floor(next() * k);
      return Array.from({ length: k }, (_x, i) => (!forbidden || i === legal || next() < 0.6 ? 1 : 0));
    }),
    ...Array.from({ length: bits }, () => (!forbidden || next() < 0.6 ? 1 : 0)),
  ];
  const actionOf = ({ nvec, bits, numbers }: PlainAgent) => {
    if (bits > 0) return Array.from({ length: bits }, () => Math.floor(2 * next()));
    return nvec.length > 0 ? nvec.map((k) => Math.floor(k * next())) : fill(numbers).map((x) => 0.9 * x);
  };
  return Array.from({ length: rows }, (_row, r) => ({
    discount: 0.9 + 0.1 * next(),
    draws: [],
    agents: agents.map((agent, i): PlainOutcome => {
      const isGone = left && i === agents.length - 1 && r % 2 === 1;
      return {
        obs: isGone ? new Array<number>(agent.obs).fill(0) : fill(agent.obs),
        next_obs: isGone ? new Array<number>(agent.obs).fill(0) : fill(agent.obs),
        action: actionOf(agent),
        mask: maskFor(agent),
        next_mask: maskFor(agent),
        reward: isGone ? 0 : 2 * next() - 1,
        done: isGone || next() < 0.3 ? 1 : 0,
        present: isGone ? 0 : 1,
      };
    }),
  }));
}

/** The same in the replay buffer's layout: masks follow observations; `done` is 2 for absent agents. */
export function rawBatch(batch: readonly PlainTransition[], mates: Readonly<Record<string, Mate>>): Buffers {
  const starts = Object.values(mates).map(startOf);
  const rows =
    (of: (outcome: PlainOutcome, i: number) => readonly number[]) => (transition: PlainTransition) =>
      transition.agents.flatMap(of);
  const all = (of: (transition: PlainTransition) => readonly number[]) => batch.flatMap(of);
  return {
    "batch.obs": all((t) => [...rows(({ obs }) => obs)(t), ...rows(({ mask }) => mask)(t)]),
    "batch.next_obs": all((t) => [
      ...rows(({ next_obs }) => next_obs)(t),
      ...rows(({ next_mask }) => next_mask)(t),
    ]),
    "batch.action": all(rows(({ action }, i) => action.map((x) => x + (starts[i] as number)))),
    "batch.reward": all(rows(({ reward }) => [reward])),
    "batch.done": all(rows(({ done, present }) => [present === 0 ? 2 : done])),
    "batch.discount": batch.map(({ discount }) => discount),
  };
}

/**
 * Writes losses (`loss.<optimizer>`), metrics, gradients (`grad.<tensor>`) and the step's draws (`draw.<i>`).
 */
export function learningProgram(
  agent: AgentState,
  spaces: AgentSpaces,
  mates: readonly PlainAgent[],
  rows: number,
  draws: number,
): Program {
  const agents = mates.length;
  const obs = total(mates.map((mate) => mate.obs + total(mate.nvec) + mate.bits));
  const actions = total(mates.map(({ nvec, bits, numbers }) => nvec.length + bits + numbers));
  const read = (name: string, width: number): Tensor => state(`batch.${name}`, [rows, width]).read();
  return trace("losses", () => {
    const structure = structureOf(agent) as OffPolicyStructure;
    const learner = readLearner(structure);
    const row = iota(rows, "u32");
    const masked = { ...spaces, masked: true };
    const batch = knownBatch(structure, masked, {
      obs: read("obs", obs),
      next_obs: read("next_obs", obs),
      action: read("action", actions),
      reward: read("reward", agents),
      done: read("done", agents),
      discount: state("batch.discount", [rows]).read(),
      row,
    });
    const { learn, delayed }: OffPolicyAlgorithm = structure.algorithm;
    for (const step of [learn, delayed?.learn]) {
      if (!step) continue;
      const { losses, metrics } = step(
        learner.networks,
        batch,
        agent.hyperparameters,
        learner.values,
        spaces,
      );
      for (const [name, loss] of Object.entries(losses)) state(`loss.${name}`, []).write(loss);
      for (const [name, value] of Object.entries(metrics)) state(`value.${name}`, []).write(value);
      for (const [name, parts] of Object.entries(gradientsOf(structure, learner, losses)))
        trainedBy(structure, learner, name)
          .flat()
          .forEach(({ parameter: { decl } }, i) => {
            const gradient = parts.flat()[i] as Tensor;
            state(`grad.${decl.name}`, gradient.shape).write(gradient);
          });
    }
    learningUniforms(row, 0, draws).forEach((uniform, i) => state(`draw.${i}`, [rows]).write(uniform));
  });
}
