/** Losses of MADDPG and MATD3 and their gradients, against a scalar reference implementation. */
import { describe, expect, it } from "vitest";
import { type AgentState, bindAgent } from "../../../src/agents/members.ts";
import { findCompiledEnvironment } from "../../../src/rl/environments.ts";
import { Box, Discrete, MultiBinary, MultiDiscrete } from "../../../src/rl/spaces.ts";
import { numbers } from "../../kernels/support/numbers.ts";
import { type Buffers, runOnReference } from "../../kernels/support/run.ts";
import { expectSlope } from "../../kernels/support/slopes.ts";
import { agentBuffers } from "../inside/support/lossSlopes.ts";
import {
  learningProgram,
  type Mate,
  plainAgents,
  rawBatch,
  spacesOf,
  transitionsOf,
} from "../inside/support/teams.ts";
import { agentOf } from "../support/agents.ts";
import {
  type PlainTeam,
  type PlainTransition,
  plainCritic,
  plainPolicyLoss,
  type Weights,
} from "../support/plainTeam.ts";
import { compiledTurn } from "../support/turns.ts";

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
/** A group whose agents are not adjacent. */
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

const flagging: Mates = {
  red_0: { key: "red", obs: 2, acts: new MultiBinary(2) },
  blue_0: { key: "blue", obs: 3, acts: new Discrete(3) },
  red_1: { key: "red", obs: 2, acts: new MultiBinary(2) },
};

interface Found {
  readonly agent: AgentState;
  readonly team: PlainTeam;
  readonly batch: readonly PlainTransition[];
  readonly after: Buffers;
}

/** Results of the algorithm's learning step for a random batch and perturbed weights. */
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

/**
 * Compares some gradients of each tensor of a network with slopes.
 * @returns tensors whose gradients are all zero.
 */
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
  ["bits beside choices", flagging],
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
const meanOf = (values: readonly number[]) => values.reduce((sum, x) => sum + x) / values.length;
const keysOf = (mates: Mates) => [...new Set(Object.values(mates).map(({ key }) => key))];

describe("losses of central critics and their policies", () => {
  it.each(cases)("%s: %s", (name, _title, mates) => {
    const found = learnt(name, mates);
    const { team, batch, after } = found;
    const smoothed = name === "MATD3";
    for (const key of keysOf(mates)) {
      let errors = 0;
      const [values, distances]: [number[], number[]] = [[], []];
      for (const [critic, optimizer] of CRITICS[name]) {
        const plain = (weights: Weights) =>
          plainCritic({ ...team, weights }, batch, { key, critic, targets: TARGETS[name], smoothed });
        const of = (weights: Weights) => plain(weights).loss;
        const { loss, q_mean, td_error } = plain(team.weights);
        expect(after[`loss.${optimizer}.${key}`]?.[0]).toBeCloseTo(loss, 9);
        errors += loss;
        values.push(q_mean);
        distances.push(td_error);
        expect(expectSlopes(found, `${critic}.${key}`, of)).toEqual([]);
      }
      expect(after[`value.critic_loss/${key}`]?.[0]).toBeCloseTo(errors, 9);
      expect(after[`value.q_mean/${key}`]?.[0]).toBeCloseTo(meanOf(values), 9);
      expect(after[`value.td_error/${key}`]?.[0]).toBeCloseTo(meanOf(distances), 9);
      const critic = name === "MADDPG" ? "critics" : "critics_1";
      const { loss, gain, soft } = plainPolicyLoss(team, batch, { key, critic, smoothed });
      expect(after[`loss.actor_optimizers.${key}`]?.[0]).toBeCloseTo(loss, 9);
      expect(after[`value.actor_loss/${key}`]?.[0]).toBeCloseTo(gain, 9);
      expect(expectSlopes(found, `actors.${key}`, soft)).toEqual([]);
    }
    for (const metric of ["actor_loss", "critic_loss", "q_mean", "td_error"]) {
      const values = keysOf(mates).map((key) => after[`value.${metric}/${key}`]?.[0] as number);
      expect(after[`value.${metric}`]?.[0]).toBeCloseTo(meanOf(values), 9);
    }
  });
});

describe("masks in learning", () => {
  /** Masks all but each agent's last action, in one of the two observations. */
  const only = (of: "mask" | "next_mask") => (batch: PlainTransition[]) =>
    batch.map((transition) => ({
      ...transition,
      agents: transition.agents.map((outcome, i) => ({
        ...outcome,
        mask: outcome.mask.map(() => 1),
        next_mask: outcome.next_mask.map(() => 1),
        [of]: (i === 0 ? [0, 0, 1] : [0, 1, 0, 0, 1]) as readonly number[],
      })),
    }));
  const none = (batch: PlainTransition[]) =>
    only("mask")(batch).map((transition) => ({
      ...transition,
      agents: transition.agents.map((outcome) => ({ ...outcome, mask: outcome.mask.map(() => 1) })),
    }));
  const losses = (change: (batch: PlainTransition[]) => PlainTransition[]) => {
    const { after } = learnt("MADDPG", choosing, change);
    return (family: string) => after[`loss.${family}_optimizers.listener_0`]?.[0];
  };

  it("of the observation change what the policy learns, of the one that follows what critics learn", () => {
    const [free, own, following] = [losses(none), losses(only("mask")), losses(only("next_mask"))];
    expect(own("critic")).toBe(free("critic"));
    expect(own("actor")).not.toBeCloseTo(free("actor") as number, 6);
    expect(following("actor")).toBe(free("actor"));
    expect(following("critic")).not.toBeCloseTo(free("critic") as number, 6);
  });
});

describe("a learning step", () => {
  it.each(["MADDPG", "MATD3"] as const)("of %s clips the gradient of each network to norm 0.5", (name) => {
    const env = findCompiledEnvironment("simple_speaker_listener_v4");
    const agent = agentOf(
      { name, batch_size: 8, learn_step: 8, ...(name === "MATD3" && { policy_freq: 1 }) },
      env,
    );
    const turn = { num_envs: 4, evo_steps: 8, eval_steps: 1 };
    const { agent: after, learn_steps } = compiledTurn(agent, env, turn);
    expect(learn_steps).toBe(1);
    const norms = Object.entries(after.optimizers).map(([optimizer, { first }]) => {
      const squares = Object.values(first).flatMap((values) => Array.from(values, (v) => (v / 0.1) ** 2));
      return [optimizer, Math.sqrt(squares.reduce((sum, x) => sum + x, 0))] as const;
    });
    expect(norms).toHaveLength(name === "MADDPG" ? 4 : 6);
    for (const [, norm] of norms) {
      expect(norm).toBeGreaterThan(0);
      expect(norm).toBeLessThan(0.5 + 1e-5);
    }
    // Returns of this world are far from a new critic's values.
    for (const [, norm] of norms.filter(([optimizer]) => optimizer.startsWith("critic")))
      expect(norm).toBeCloseTo(0.5, 4);
  });
});
