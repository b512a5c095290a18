/** IPPO's losses, gradients, advantages and divergences, against a scalar reference implementation. */
import { describe, expect, it } from "vitest";
import { bindAgent, structureOf } from "../../../../src/agents/members.ts";
import { state, type Tensor, trace } from "../../../../src/kernels/index.ts";
import { IPPO } from "../../../../src/rl/definitions.ts";
import { gradientsOf, readLearner, readNetworks, trainedBy } from "../../../../src/rl/programs/learning.ts";
import { encodeStep } from "../../../../src/rl/programs/memory.ts";
import { rolloutStates } from "../../../../src/rl/programs/rollout.ts";
import { columnsOf, movedFar } from "../../../../src/rl/programs/rolloutLearning.ts";
import type { OnPolicyStructure } from "../../../../src/rl/programs.ts";
import { Box, Discrete, MultiDiscrete } from "../../../../src/rl/spaces.ts";
import { numbers } from "../../../kernels/support/numbers.ts";
import { runOnReference } from "../../../kernels/support/run.ts";
import { expectSlope } from "../../../kernels/support/slopes.ts";
import { agentOf } from "../../support/agents.ts";
import {
  type PlainSample,
  type PlainTeam,
  plainPpo,
  plainValue,
  type Weights,
} from "../../support/plainTeam.ts";
import { agentBuffers } from "../support/lossSlopes.ts";
import { type Mate, plainAgents, spacesOf, transitionsOf } from "../support/teams.ts";

const ROWS = 6;
const smooth = { activation: "Tanh", hidden_size: [6] };
const network = {
  latent_dim: 8,
  encoder_config: { ...smooth, output_activation: "Tanh" },
  head_config: smooth,
};
type Mates = Readonly<Record<string, Mate>>;

const grouped: Mates = {
  red_0: { key: "red", obs: 2, acts: new Discrete(3, { start: 2 }) },
  blue_0: { key: "blue", obs: 3, acts: new MultiDiscrete([2, 3]) },
  red_1: { key: "red", obs: 2, acts: new Discrete(3, { start: 2 }) },
};
const apart: Mates = {
  mover_0: { key: "mover_0", obs: 2, acts: new Box({ low: [-1, 0], high: [1, 2], shape: [2] }) },
  chooser_0: { key: "chooser_0", obs: 3, acts: new Discrete(3) },
};
const FIELDS = { name: "IPPO", ent_coef: 0.1, vf_coef: 0.7, action_std_init: 0.1, clip_coef: 0.2 } as const;

function madeOf(mates: Mates) {
  const spaces = spacesOf(mates);
  const agent = agentOf(FIELDS, { ...spaces, network });
  const next = numbers(4);
  const weights = agentBuffers(agent, next);
  const networks = Object.fromEntries(Object.entries(agent.networks).map(([key, { data }]) => [key, data]));
  const agents = plainAgents(mates);
  const team: PlainTeam = { agents, networks, weights };
  return { spaces, agent, next, weights, team, agents };
}

const keysOf = (mates: Mates) => [...new Set(Object.values(mates).map(({ key }) => key))];

/** IPPO's results for a random minibatch, whose last row is padding. */
function learnt(mates: Mates, isPresent = (_agent: number, row: number) => row % 3 !== 2) {
  const { spaces, agent, next, weights, team, agents } = madeOf(mates);
  const count = agents.length;
  const steps = transitionsOf(agents, ROWS, next, { left: false }).map((transition, row) => ({
    weight: row === ROWS - 1 ? 0 : 1,
    agents: transition.agents.map(
      ({ obs, action, mask }, i): PlainSample => ({
        obs,
        action,
        // Actions taken are legal.
        mask: mask.map((legal, place) => (isTaken(agents[i]?.nvec ?? [], action, place) ? 1 : legal)),
        // Near the policy's own log-probabilities, so that some ratios are clipped and some are not.
        log_prob: -action.length * (0.5 + next()),
        advantage: 2 * next() - 1,
        returns: 2 * next() - 1,
        present: isPresent(i, row) ? 1 : 0,
      }),
    ),
  }));
  const all = (of: (sample: PlainSample) => readonly number[]) =>
    steps.flatMap((step) => step.agents.flatMap(of));
  const width = (of: (sample: PlainSample) => readonly number[]) => all(of).length / ROWS;
  const program = trace("losses", () => {
    const structure = structureOf(agent) as OnPolicyStructure;
    const learner = readLearner(structure);
    const read = (name: string, size: number): Tensor => state(name, [ROWS, size]).read();
    const obs = read(
      "obs",
      width((s) => s.obs),
    );
    const { losses, metrics, kl } = IPPO.learn(
      learner.networks,
      {
        latents: encodeStep(structure.algorithm, learner.networks, obs, spaces).latents,
        action: read(
          "action",
          width((s) => s.action),
        ),
        mask: read(
          "mask",
          width((s) => s.mask),
        ),
        log_prob: read("log_prob", count),
        advantage: read("advantage", count),
        returns: read("returns", count),
        present: read("present", count),
        weight: state("weight", [ROWS]).read(),
      },
      agent.hyperparameters,
      learner.values,
      spaces,
    );
    state("kl", kl.shape).write(kl);
    for (const [name, loss] of Object.entries(losses)) state(`loss.${name}`, []).write(loss);
    for (const [name, value] of Object.entries(metrics)) state(`value.${name}`, []).write(value);
    for (const [name, parts] of Object.entries(gradientsOf(structure, learner, losses)))
      trainedBy(structure, learner, name)
        .flat()
        .forEach(({ parameter: { decl } }, i) => {
          const gradient = parts.flat()[i] as Tensor;
          state(`grad.${decl.name}`, gradient.shape).write(gradient);
        });
  });
  const initial = {
    ...weights,
    obs: all((s) => s.obs),
    action: all((s) => s.action),
    mask: all((s) => s.mask),
    log_prob: all((s) => [s.log_prob]),
    advantage: all((s) => [s.advantage]),
    returns: all((s) => [s.returns]),
    present: all((s) => [s.present]),
    weight: steps.map(({ weight }) => weight),
  };
  const binding = bindAgent(agent, { num_envs: 1, batch: ROWS });
  const after = runOnReference(program, binding, initial, { precision: "f64" });
  return { agent, team, steps, after };
}

/** Whether a position in a mask is that of the action. */
function isTaken(nvec: readonly number[], action: readonly number[], place: number): boolean {
  let start = 0;
  return nvec.some((k, i) => {
    const taken = start + (action[i] as number) === place;
    start += k;
    return taken;
  });
}

describe("losses of independent policies", () => {
  it.each([
    ["a group beside one agent", grouped],
    ["numbers beside choices", apart],
  ] as const)("%s", (_title, mates) => {
    const { agent, team, steps, after } = learnt(mates);
    const step = 1e-5;
    for (const [place, key] of keysOf(mates).entries()) {
      const of = (weights: Weights) => plainPpo({ ...team, weights }, steps, key, 0.2);
      const { policy, value, entropy, kl, clip_fraction } = of(team.weights);
      expect(after[`value.policy_loss/${key}`]?.[0]).toBeCloseTo(policy, 9);
      expect(after[`value.value_loss/${key}`]?.[0]).toBeCloseTo(value, 9);
      expect(after[`value.entropy_loss/${key}`]?.[0]).toBeCloseTo(-entropy, 9);
      expect(after[`value.entropy/${key}`]?.[0]).toBeCloseTo(entropy, 9);
      expect(after.kl?.[place]).toBeCloseTo(kl, 9);
      expect(after[`value.approx_kl/${key}`]?.[0]).toBeCloseTo(kl, 9);
      expect(clip_fraction).toBeGreaterThan(0);
      expect(clip_fraction).toBeLessThan(1);
      expect(after[`value.clip_fraction/${key}`]?.[0]).toBeCloseTo(clip_fraction, 9);
      const losses = {
        actors: (weights: Weights) => of(weights).policy - 0.1 * of(weights).entropy,
        critics: (weights: Weights) => 0.7 * of(weights).value,
      };
      for (const [family, loss] of Object.entries(losses)) {
        const optimizer = family === "actors" ? "actor_optimizers" : "critic_optimizers";
        expect(after[`loss.${optimizer}.${key}`]?.[0]).toBeCloseTo(loss(team.weights), 9);
        const names = Object.keys(agent.networks[`${family}.${key}`]?.tensors ?? {});
        expect(names.length).toBeGreaterThan(6);
        for (const name of names.map((tensor) => `${family}.${key}.${tensor}`)) {
          const values = team.weights[name] as readonly number[];
          expect(after[`grad.${name}`]?.some((g) => g !== 0)).toBe(true);
          for (const element of new Set([0, Math.floor(values.length / 2), values.length - 1])) {
            const moved = (by: number) =>
              loss({ ...team.weights, [name]: values.map((v, i) => (i === element ? v + by : v)) });
            const slope = (moved(step) - moved(-step)) / (2 * step);
            expectSlope(after[`grad.${name}`]?.[element], slope, `${name}[${element}]`);
          }
        }
      }
    }
    expect(after.kl).toHaveLength(keysOf(mates).length);
  });

  it("of a key that nobody of is there are 0, and so are their gradients", () => {
    const { after } = learnt(grouped, (agent) => agent === 1);
    for (const name of ["actor_optimizers", "critic_optimizers"]) {
      expect(after[`loss.${name}.red`]).toEqual([0]);
      expect(after[`loss.${name}.blue`]?.[0]).not.toBe(0);
    }
    const reds = Object.entries(after).filter(([name]) => /^grad\.(actors|critics)\.red/.test(name));
    expect(reds.length).toBeGreaterThan(12);
    expect(reds.filter(([, values]) => values.some((g) => g !== 0)).map(([name]) => name)).toEqual([]);
  });
});

describe("advantages of several agents", () => {
  const [STEPS, LANES, GAMMA, LAMBDA] = [6, 2, 0.9, 0.8];

  /**
   * Lane 0: red_0 ends in step 1, the others in step 3 with the episode.
   * Lane 1: red_1 ends in step 0; the episode is truncated in step 2.
   */
  const ends: Readonly<Record<string, readonly (readonly number[])[]>> = {
    terminated: [
      [0, 0, 0, 0, 0, 1],
      [1, 0, 0, 0, 0, 1],
      [1, 0, 0, 0, 0, 1],
      [1, 1, 1, 0, 0, 0],
      [0, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, 0],
    ],
    present: [
      [1, 1, 1, 1, 1, 1],
      [1, 1, 1, 1, 1, 0],
      [0, 1, 1, 1, 1, 0],
      [0, 1, 1, 1, 1, 1],
      [1, 1, 1, 1, 1, 1],
      [1, 1, 1, 1, 1, 1],
    ],
    done: [
      [0, 0],
      [0, 0],
      [0, 1],
      [1, 0],
      [0, 0],
      [0, 0],
    ],
  };

  it("end where each agent ended, bootstrap from the true last observation, and are normalised by key", () => {
    const { spaces, agent, next, weights, team, agents } = madeOf(grouped);
    const hp = { "hp.gamma": [GAMMA], "hp.gae_lambda": [LAMBDA] };
    const fill = (n: number) => Array.from({ length: n }, () => 2 * next() - 1);
    const [terminated, present, done] = [ends.terminated, ends.present, ends.done] as [
      number[][],
      number[][],
      number[][],
    ];
    const width = 7;
    const obs: number[][][] = [Array.from({ length: LANES }, () => fill(width))];
    const next_obs: number[][][] = [];
    for (let t = 0; t < STEPS; t++) {
      next_obs.push(Array.from({ length: LANES }, () => fill(width)));
      obs.push((next_obs[t] as number[][]).map((row, lane) => (done[t]?.[lane] === 1 ? fill(width) : row)));
    }
    const reward = present.map((row) => row.map((is) => is * (2 * next() - 1)));
    const program = trace("columns", () => {
      const structure = structureOf(agent) as OnPolicyStructure;
      const columns = columnsOf(structure, spaces, rolloutStates(spaces, readNetworks(structure)));
      state("advantage", columns.advantage.shape).write(columns.advantage);
      state("returns", columns.returns.shape).write(columns.returns);
    });
    const binding = bindAgent(agent, { num_envs: LANES, batch: 4, horizon: STEPS, minibatches: 3 });
    const after = runOnReference(
      program,
      binding,
      {
        ...weights,
        ...hp,
        "rollout.obs": obs.slice(0, STEPS).flat(2),
        "rollout.next_obs": next_obs.flat(2),
        "rollout.reward": reward.flat(),
        "rollout.terminated": terminated.flat(),
        "rollout.present": present.flat(),
        "rollout.done": done.flat(),
      },
      { precision: "f64" },
    );
    const starts = [0, 2, 5];
    const valueOf = (row: readonly number[], i: number) => {
      const { key, obs: size } = agents[i] as (typeof agents)[number];
      const start = starts[i] as number;
      return plainValue(team, key, row.slice(start, start + size));
    };
    const found: { key: string; advantage: number; returns: number; here: number; place: number }[] = [];
    for (let lane = 0; lane < LANES; lane++) {
      for (const [i, { key }] of agents.entries()) {
        let following = 0;
        for (let t = STEPS - 1; t >= 0; t--) {
          const column = lane * agents.length + i;
          const [end, here] = [terminated[t]?.[column] as number, present[t]?.[column] as number];
          const value = valueOf(obs[t]?.[lane] as number[], i);
          const later = (1 - end) * valueOf(next_obs[t]?.[lane] as number[], i);
          const goes = end === 1 || done[t]?.[lane] === 1 ? 0 : 1;
          following =
            (reward[t]?.[column] as number) + GAMMA * later - value + GAMMA * LAMBDA * goes * following;
          const place = (t * LANES + lane) * agents.length + i;
          found.push({ key, advantage: following, returns: following + value, here, place });
        }
      }
    }
    const scatter = (values: readonly number[]) => {
      const mean = values.reduce((a, b) => a + b) / values.length;
      return values.reduce((a, b) => a + (b - mean) ** 2, 0);
    };
    const explained: number[] = [];
    for (const key of keysOf(grouped)) {
      const own = found.filter((row) => row.key === key);
      const here = own.filter((row) => row.here === 1);
      explained.push(1 - scatter(here.map((row) => row.advantage)) / scatter(here.map((row) => row.returns)));
      expect(after[`metric.explained_variance/${key}`]?.[0]).toBeCloseTo(explained.at(-1) as number, 8);
      const counted = own.filter(({ here }) => here === 1).map(({ advantage }) => advantage);
      const mean = counted.reduce((a, b) => a + b) / counted.length;
      const variance = counted.reduce((a, b) => a + (b - mean) ** 2, 0) / (counted.length - 1);
      for (const { advantage, returns, place, here } of own) {
        if (here === 0) continue;
        expect(after.returns?.[place]).toBeCloseTo(returns, 9);
        expect(after.advantage?.[place]).toBeCloseTo((advantage - mean) / (Math.sqrt(variance) + 1e-8), 8);
      }
    }
    const mean = explained.reduce((a, b) => a + b) / explained.length;
    expect(after["metric.explained_variance"]?.[0]).toBeCloseTo(mean, 8);
    expect(after["counter.learned_rollouts"]).toEqual([1]);
  });
});

describe("an epoch is the last one", () => {
  const isLast = (divergences: readonly number[], target: number): boolean => {
    const program = trace("moved", () => {
      const far = movedFar(state("divergences", [divergences.length]).read());
      state("far", [], { dtype: "bool" }).write(far);
    });
    const initial = { divergences, "hp.target_kl": [target] };
    return runOnReference(program, { minibatches: 2 }, initial).far?.[0] === 1;
  };

  it("when the mean divergence of one key, not of all, is beyond target_kl", () => {
    expect(isLast([0, 3], 1.4)).toBe(true);
    expect(isLast([3, 0], 1.4)).toBe(true);
    expect(isLast([3, 2.9], 1.6)).toBe(false);
  });
});
