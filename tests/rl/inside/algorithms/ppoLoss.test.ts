/** Gradients of PPO's full loss match its slopes, for every distribution and with recurrent networks. */
import { describe, expect, it } from "vitest";
import { type AgentState, bindAgent, structureOf } from "../../../../src/agents/members.ts";
import { mulDims, type Shape, state, type Tensor, trace } from "../../../../src/kernels/index.ts";
import { networkNamed } from "../../../../src/rl/contract/network.ts";
import { PPO } from "../../../../src/rl/definitions.ts";
import { lanes } from "../../../../src/rl/programs/lanes.ts";
import { readLearner } from "../../../../src/rl/programs/learning.ts";
import { encodeSequences, encodeStep, lanesMemory } from "../../../../src/rl/programs/memory.ts";
import {
  Box,
  Discrete,
  flatSize,
  MultiBinary,
  MultiDiscrete,
  type Space,
} from "../../../../src/rl/spaces.ts";
import { numbers } from "../../../kernels/support/numbers.ts";
import type { Buffers } from "../../../kernels/support/run.ts";
import { agentOf } from "../../support/agents.ts";
import { agentBuffers, expectSlopes, type LossPart, writeLoss } from "../support/lossSlopes.ts";

const observation_space = new Box({ low: -1, high: 1, shape: [3] });
const [STEPS, LANES] = [4, 3];
const ROWS = STEPS * LANES;

const smooth = { activation: "Tanh", hidden_size: [6] };
const flatNetwork = {
  latent_dim: 8,
  encoder_config: { ...smooth, output_activation: "Tanh" },
  head_config: smooth,
};
const lstmNetwork = {
  latent_dim: 8,
  encoder_config: { hidden_state_size: 8, num_layers: 1 },
  head_config: smooth,
};

/** The loss of a batch, or its gradients. */
const lossProgram = (part: LossPart, agent: AgentState, action_space: Space) =>
  trace("loss", () => {
    const spaces = { observation_space, action_space };
    const learner = readLearner(structureOf(agent));
    const { networks } = learner;
    const rows = mulDims(STEPS, lanes);
    const read = (name: string, shape: Shape = [rows]) => state(name, shape).read();
    const memory = networkNamed(networks, "actor").memory();
    const obs = read("obs", [STEPS, lanes, 3]);
    const latents =
      memory.length === 0
        ? encodeStep(PPO, networks, read("rows", [rows, 3]), spaces).latents
        : encodeSequences(PPO, networks, {
            obs,
            keep: read("keep", [STEPS, lanes]),
            memory: lanesMemory(networks).read(),
          });
    const shape = action_space.kind === "Discrete" ? [rows] : [rows, action_space.shape[0] as number];
    const dtype = action_space.kind === "Box" ? "f32" : "i32";
    const mask = action_space.kind === "Box" ? {} : { mask: read("mask", [rows, flatSize(action_space)]) };
    const { losses } = PPO.learn(
      networks,
      {
        latents,
        action: state("action", shape, { dtype }).read(),
        log_prob: read("log_prob"),
        advantage: read("advantage"),
        returns: read("returns"),
        weight: read("weight"),
        ...mask,
      },
      agent.hyperparameters,
      learner.values,
      spaces,
    );
    writeLoss(part, agent, learner, "optimizer", losses.optimizer as Tensor);
  });

const squash = (network: object) => ({ ...network, squash_output: true });
const wide = new Box({ low: [-1, -2], high: [1, 3], shape: [2] });
const cases: [string, Space, object, boolean][] = [
  ["choices", new Discrete(3), flatNetwork, false],
  ["several choices", new MultiDiscrete([2, 3]), flatNetwork, false],
  ["bits", new MultiBinary(3), flatNetwork, false],
  ["numbers", wide, flatNetwork, false],
  ["squashed numbers", wide, squash(flatNetwork), false],
  ["choices, with memory", new Discrete(3), lstmNetwork, true],
  ["squashed numbers, with memory", wide, squash(lstmNetwork), true],
];

describe("gradients of PPO's loss are its slopes", () => {
  it.each(cases)("%s", (_name, action_space, network, recurrent) => {
    const spec = { name: "PPO", recurrent, ent_coef: 0.1, vf_coef: 0.7, action_std_init: 0.1 } as const;
    const agent = agentOf(spec, { observation_space, action_space, network });
    const next = numbers(4);
    const fill = (n: number, value = () => 2 * next() - 1) => Array.from({ length: n }, value);
    const integer = (n: number) => () => Math.floor(next() * n);
    const width = action_space.kind === "Discrete" ? 1 : (action_space.shape[0] as number);
    const legal = fill(ROWS).flatMap((_, row) =>
      Array.from({ length: flatSize(action_space) }, (_x, i) => (i > 1 && (row + i) % 3 === 0 ? 0 : 1)),
    );
    const weights = agentBuffers(agent, next);
    const obs = fill(ROWS * 3);
    const initial: Buffers = {
      ...weights,
      obs,
      rows: obs,
      keep: fill(ROWS, () => (next() < 0.3 ? 0 : 1)),
      "memory.actor.encoder.h0": fill(LANES * 8),
      "memory.actor.encoder.c0": fill(LANES * 8),
      mask: legal,
      action:
        action_space.kind === "Box"
          ? fill(ROWS * width, () => 1.6 * next() - 0.8)
          : fill(ROWS * width, integer(2)),
      // Near the policy's own log-probabilities, so that some ratios are clipped and some are not.
      log_prob: fill(ROWS, () => -width * (0.5 + next())),
      advantage: fill(ROWS),
      returns: fill(ROWS),
      weight: fill(ROWS, () => 1).map((w, i) => (i === ROWS - 1 ? 0 : w)),
    };
    const loss = lossProgram("loss", agent, action_space);
    const gradients = lossProgram("gradients", agent, action_space);
    const binding = bindAgent(agent, { num_envs: LANES, batch: ROWS });
    const still = expectSlopes({ agent, optimizer: "optimizer", loss, gradients, binding, initial });
    expect(still).toEqual([]);
  });
});
