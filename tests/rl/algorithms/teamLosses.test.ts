/** Losses of MADDPG and MATD3, and their gradients, against the same made number by number. */
import { describe, expect, it } from "vitest";
import type { AgentState } from "../../../src/rl/member/agentState.ts";
import { bindAgent } from "../../../src/rl/runtime/sizes.ts";
import { Box, Discrete, MultiDiscrete } from "../../../src/rl/spaces/index.ts";
import { numbers } from "../../kernels/support/numbers.ts";
import { type Buffers, runOnReference } from "../../kernels/support/run.ts";
import { expectSlope } from "../../kernels/support/slopes.ts";
import { agentOf } from "../support/agents.ts";
import { agentBuffers } from "../support/lossSlopes.ts";
import {
  type PlainTeam,
  type PlainTransition,
  plainCriticLoss,
  plainPolicyLoss,
  type Weights,
} from "../support/plainTeam.ts";
import {
  learningProgram,
  type Mate,
  plainAgents,
  rawBatch,
  spacesOf,
  transitionsOf,
} from "../support/teams.ts";

const ROWS = 4;
const DRAWS = 24;
const smooth = { activation: "Tanh", hidden_size: [6] };
const network = {
  latent_dim: 8,
  encoder_config: { ...smooth, output_activation: "Tanh" },
  head_config: smooth,
};
const box = (...low: number[]) => new Box({ low, high: low.map((x) => x + 3), shape: [low.length] });

type Mates = Readonly<Record<string, Mate>>;

const choosing: Mates = {
  speaker_0: { key: "speaker_0", obs: 2, acts: new Discrete(3, { start: 4 }) },
  listener_0: { key: "listener_0", obs: 3, acts: new MultiDiscrete([2, 3]) },
};
/** A group whose agents do not stand side by side. */
const grouped: Mates = {
  red_0: { key: "red", obs: 2, acts: new Discrete(3) },
  blue_0: { key: "blue", obs: 3, acts: new Discrete(2) },
  red_1: { key: "red", obs: 2, acts: new Discrete(3) },
};
const moving: Mates = {
  red_0: { key: "red", obs: 2, acts: box(-1, 0) },
  blue_0: { key: "blue", obs: 3, acts: box(-2) },
  red_1: { key: "red", obs: 2, acts: box(-1, 0) },
};
const mixed: Mates = {
  red_0: { key: "red", obs: 2, acts: box(-1, 0, 1) },
  blue_0: { key: "blue", obs: 3, acts: new Discrete(3) },
  red_1: { key: "red", obs: 2, acts: box(-1, 0, 1) },
};

interface Found {
  readonly agent: AgentState;
  readonly team: PlainTeam;
  readonly batch: readonly PlainTransition[];
  readonly after: Buffers;
}

/** What the algorithm's own learning gives for a random batch of moved weights. */
function learnt(name: "MADDPG" | "MATD3", mates: Mates, change = (batch: PlainTransition[]) => batch): Found {
  const spaces = spacesOf(mates);
  const agent = agentOf({ name }, { ...spaces, network });
  const next = numbers(4);
  const weights = agentBuffers(agent, next);
  const agents = plainAgents(mates);
  const given = change(transitionsOf(agents, ROWS, next));
  const program = learningProgram(agent, spaces, agents, ROWS, DRAWS);
  const binding = bindAgent(agent, { num_envs: 1, batch: ROWS });
  const initial = {
    ...weights,
    ...rawBatch(given, mates),
    "key.0": [5],
    "key.1": [7],
    "counter.learned": [3],
  };
  const after = runOnReference(program, binding, initial, { precision: "f64" });
  const batch = given.map((transition, row) => ({
    ...transition,
    draws: Array.from({ length: DRAWS }, (_x, i) => after[`draw.${i}`]?.[row] as number),
  }));
  const networks = Object.fromEntries(Object.entries(agent.networks).map(([key, { data }]) => [key, data]));
  return { agent, team: { agents, networks, weights }, batch, after };
}

/** Each tensor of a network: some of its gradients are slopes. @returns Tensors whose gradients are zero throughout. */
function expectSlopes(
  { agent, team, after }: Found,
  trained: string,
  loss: (weights: Weights) => number,
): string[] {
  const names = Object.keys(agent.networks[trained]?.tensors ?? {}).map((tensor) => `${trained}.${tensor}`);
  expect(names.length).toBeGreaterThan(6);
  const step = 1e-5;
  for (const name of names) {
    const values = team.weights[name] as readonly number[];
    for (const element of new Set([0, Math.floor(values.length / 2), values.length - 1])) {
      const moved = (by: number) =>
        loss({ ...team.weights, [name]: values.map((v, i) => (i === element ? v + by : v)) });
      const slope = (moved(step) - moved(-step)) / (2 * step);
      expectSlope(after[`grad.${name}`]?.[element], slope, `${name}[${element}]`);
    }
  }
  return names.filter((name) => !after[`grad.${name}`]?.some((g) => g !== 0));
}

const teams: readonly (readonly [string, Mates])[] = [
  ["choices of agents by themselves", choosing],
  ["choices of a group", grouped],
  ["numbers", moving],
  ["numbers beside choices", mixed],
];
const CRITICS = {
  MADDPG: [["critics", "critic_optimizers"]],
  MATD3: [
    ["critics_1", "critic_1_optimizers"],
    ["critics_2", "critic_2_optimizers"],
  ],
} as const;
const TARGETS = { MADDPG: ["critic_targets"], MATD3: ["critic_targets_1", "critic_targets_2"] } as const;
const cases = (["MADDPG", "MATD3"] as const).flatMap((name) =>
  teams.map(([title, mates]) => [name, title, mates] as const),
);
const keysOf = (mates: Mates) => [...new Set(Object.values(mates).map(({ key }) => key))];

describe("losses of central critics and their policies", () => {
  it.each(cases)("%s: %s", (name, _title, mates) => {
    const found = learnt(name, mates);
    const { team, batch, after } = found;
    const smoothed = name === "MATD3";
    for (const key of keysOf(mates)) {
      let errors = 0;
      for (const [critic, optimizer] of CRITICS[name]) {
        const of = (weights: Weights) =>
          plainCriticLoss({ ...team, weights }, batch, { key, critic, targets: TARGETS[name], smoothed });
        expect(after[`loss.${optimizer}.${key}`]?.[0]).toBeCloseTo(of(team.weights), 9);
        errors += of(team.weights);
        expect(expectSlopes(found, `${critic}.${key}`, of)).toEqual([]);
      }
      expect(after[`value.critic_loss/${key}`]?.[0]).toBeCloseTo(errors, 9);
      const critic = name === "MADDPG" ? "critics" : "critics_1";
      const { loss, gain, soft } = plainPolicyLoss(team, batch, { key, critic, smoothed });
      expect(after[`loss.actor_optimizers.${key}`]?.[0]).toBeCloseTo(loss, 9);
      expect(after[`value.actor_loss/${key}`]?.[0]).toBeCloseTo(gain, 9);
      expect(expectSlopes(found, `actors.${key}`, soft)).toEqual([]);
    }
    const mean = (metric: string) => {
      const values = keysOf(mates).map((key) => after[`value.${metric}/${key}`]?.[0] as number);
      return values.reduce((sum, x) => sum + x) / values.length;
    };
    for (const metric of ["actor_loss", "critic_loss"])
      expect(after[`value.${metric}`]?.[0]).toBeCloseTo(mean(metric), 9);
  });
});
