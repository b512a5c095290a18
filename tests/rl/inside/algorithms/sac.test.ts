/** Soft actor-critic: its losses, its temperature, and the storage of learned parameters outside networks. */
import { describe, expect, it } from "vitest";
import { createPopulation } from "../../../../src/agents/classes.ts";
import { agentClasses } from "../../../../src/agents/index.ts";
import {
  type AgentState,
  bindAgent,
  mutateArchitecture,
  mutateParameters,
  requireFinite,
  structureOf,
} from "../../../../src/agents/members.ts";
import { Random } from "../../../../src/evolution/index.ts";
import { squashedNormal } from "../../../../src/kernels/functions.ts";
import {
  exp,
  iota,
  meanAll,
  minimum,
  mul,
  type Program,
  reshape,
  type Shape,
  stackColumns,
  state,
  stopGradient,
  sub,
  type Tensor,
  trace,
} from "../../../../src/kernels/index.ts";
import { exportWarnings, parseAlgorithm, parseManifest } from "../../../../src/manifests/index.ts";
import { builtInTemplate } from "../../../../src/manifests/templates.ts";
import { networkNamed } from "../../../../src/rl/contract/network.ts";
import { learningNormals, Network } from "../../../../src/rl/contract.ts";
import { gaussianOf, SAC } from "../../../../src/rl/definitions.ts";
import { type Learner, readLearner } from "../../../../src/rl/programs/learning.ts";
import { Box, Discrete } from "../../../../src/rl/spaces.ts";
import { decodeAgent, encodeAgent } from "../../../../src/training/index.ts";
import { numbers } from "../../../kernels/support/numbers.ts";
import { type Buffers, runOnReference } from "../../../kernels/support/run.ts";
import { agentOf } from "../../support/agents.ts";
import { agentBuffers, expectSlopes, type LossPart, writeLoss } from "../support/lossSlopes.ts";

const observation_space = new Box({ low: -1, high: 1, shape: [3] });
const action_space = new Box({ low: [-1, -2], high: [1, 3], shape: [2] });
const spaces = { observation_space, action_space };
const ROWS = 4;
const SIZE = 2;

const smooth = { activation: "Tanh", hidden_size: [6] };
const network = {
  latent_dim: 8,
  encoder_config: { ...smooth, output_activation: "Tanh" },
  head_config: smooth,
};

const read = (name: string, shape: Shape = [ROWS]): Tensor => state(`batch.${name}`, shape).read();

const batch = () => ({
  obs: read("obs", [ROWS, 3]),
  action: read("action", [ROWS, SIZE]),
  reward: read("reward"),
  next_obs: read("next_obs", [ROWS, 3]),
  done: read("done"),
  discount: read("discount"),
  row: iota(ROWS, "u32"),
});

const lossProgram = (part: LossPart, agent: AgentState, optimizer: string): Program =>
  trace("loss", () => {
    const learner = readLearner(structureOf(agent));
    const { losses } = SAC.learn(learner.networks, batch(), agent.hyperparameters, learner.values, spaces);
    writeLoss(part, agent, learner, optimizer, losses[optimizer] as Tensor);
  });

/**
 * The policy loss if the critics read the policy's latent vector. The latent vector counts as a constant
 * there: the buffers `present.*` hold a copy of the present policy that computes it.
 */
const sharedPolicyLoss = (agent: AgentState): Program =>
  trace("intended", () => {
    const { networks, values }: Learner = readLearner(structureOf(agent));
    const { obs, row } = batch();
    const actor = networkNamed(networks, "actor");
    const seen = new Network(actor.data, "present", { dims: "actor" }).encode(obs);
    const noise = learningNormals(row, 2 * SIZE).slice(0, SIZE);
    const { action, log_prob } = gaussianOf(actor, actor.encode(obs)).draw(stackColumns(noise));
    const valueBy = (critic: string) => reshape(networkNamed(networks, critic).valueOf(seen, action), [ROWS]);
    const value = minimum(valueBy("critic_1"), valueBy("critic_2"));
    const alpha = stopGradient(exp(values.log_alpha as Tensor));
    state("loss", []).write(meanAll(sub(mul(alpha, log_prob), value)));
  });

function start(share_encoders: boolean) {
  const agent = agentOf({ name: "SAC", share_encoders }, { ...spaces, network });
  const next = numbers(4);
  const fill = (n: number, value = () => 2 * next() - 1) => Array.from({ length: n }, value);
  const initial: Buffers = {
    ...agentBuffers(agent, next),
    "batch.obs": fill(ROWS * 3),
    "batch.next_obs": fill(ROWS * 3),
    "batch.action": fill(ROWS * SIZE),
    "batch.reward": fill(ROWS),
    "batch.done": fill(ROWS, () => (next() < 0.3 ? 1 : 0)),
    "batch.discount": fill(ROWS, () => 0.9 + 0.1 * next()),
    "key.0": [5],
    "key.1": [7],
  };
  return { agent, initial, binding: bindAgent(agent, { num_envs: 1, batch: ROWS }) };
}

const optimizers = ["actor_optimizer", "critic_1_optimizer", "critic_2_optimizer", "alpha_optimizer"];

describe("gradients of SAC's losses are their slopes", () => {
  it.each([false, true].flatMap((shared) => optimizers.map((optimizer) => [optimizer, shared] as const)))(
    "%s, shared encoders %s",
    (optimizer, shared) => {
      const { agent, initial, binding } = start(shared);
      const isShared = shared && optimizer === "actor_optimizer";
      const present = Object.entries(initial).flatMap(([key, values]) =>
        isShared && key.startsWith("actor.") ? [[key.replace("actor.", "present."), values] as const] : [],
      );
      const still = expectSlopes({
        agent,
        optimizer,
        loss: isShared ? sharedPolicyLoss(agent) : lossProgram("loss", agent, optimizer),
        gradients: lossProgram("gradients", agent, optimizer),
        binding,
        initial: { ...initial, ...Object.fromEntries(present) },
      });
      expect(still).toEqual([]);
    },
  );
});

describe("a draw of tanh of a Gaussian", () => {
  it("has the density of its action, also where tanh is flat", () => {
    const program = trace("draw", () => {
      const { draw } = squashedNormal(read("mean", [ROWS, 1]), read("log_std", [ROWS, 1]));
      const { action, log_prob } = draw(read("noise", [ROWS, 1]));
      state("action", action.shape).write(action);
      state("log_prob", log_prob.shape).write(log_prob);
    });
    const mean = [0, 0.5, -1, 9];
    const log_std = [0, -1, 0.5, 0];
    const noise = [0.3, -1.2, 0.8, 1];
    const initial = { "batch.mean": mean, "batch.log_std": log_std, "batch.noise": noise };
    const found = runOnReference(program, {}, initial, { precision: "f64" });
    for (let i = 0; i < ROWS; i++) {
      const [m, s, e] = [mean[i] as number, log_std[i] as number, noise[i] as number];
      const u = m + Math.exp(s) * e;
      expect(found.action?.[i]).toBeCloseTo(Math.tanh(u), 10);
      // log(1 - tanh(u)^2) = -2 log cosh(u), without cancellation.
      const logCosh = Math.abs(u) + Math.log1p(Math.exp(-2 * Math.abs(u))) - Math.LN2;
      const density = -0.5 * e * e - s - 0.5 * Math.log(2 * Math.PI);
      expect(found.log_prob?.[i]).toBeCloseTo(density + 2 * logCosh, 8);
    }
  });
});

const made = (fields: object = {}) =>
  createPopulation({
    algorithm: { name: "SAC", batch_size: 8, ...fields },
    ...spaces,
    population_size: 1,
    net_config: { latent_dim: 8, encoder_config: { hidden_size: [8] }, head_config: { hidden_size: [8] } },
  })[0] as InstanceType<typeof agentClasses.SAC>;

function experiences(n: number) {
  const random = new Random({ seed: 1, stream: "batch" });
  const fill = (width: number) => Float32Array.from({ length: n * width }, () => 2 * random.uniform() - 1);
  return { obs: fill(3), action: fill(SIZE), reward: fill(1), next_obs: fill(3), done: new Float32Array(n) };
}

const alphaOf = ({ state: { parameters } }: { state: AgentState }) =>
  parameters?.log_alpha?.values[0] as number;

describe("the temperature", () => {
  it("falls while the policy has more entropy than minus the size of its actions", () => {
    const agent = made({ lr_alpha: 0.01 });
    expect(alphaOf(agent)).toBe(0);
    const { alpha, alpha_loss, actor_loss, critic_loss } = agent.learn(experiences(8));
    expect(alpha).toBe(1);
    for (const loss of [alpha_loss, actor_loss, critic_loss]) expect(Number.isFinite(loss)).toBe(true);
    // Adam's first step has the size of the learning rate.
    expect(alphaOf(agent)).toBeCloseTo(-0.01, 6);
    for (let i = 0; i < 20; i++) agent.learn(experiences(8));
    expect(alphaOf(agent)).toBeLessThan(-0.1);
    expect(agent.state.optimizers.alpha_optimizer?.step).toBe(21);
  });

  it("is the agent's own: copied with it, left alone by mutations, kept in its file", () => {
    const agent = made({ lr_alpha: 0.01 });
    agent.learn(experiences(8));
    const before = alphaOf(agent);
    const copy = agent.clone(1);
    copy.learn(experiences(8));
    expect(alphaOf(agent)).toBe(before);
    expect(alphaOf(copy)).not.toBe(before);

    const key = { seed: 3, stream: "mutation" };
    for (const { agent: changed } of [
      mutateParameters(agent.state, SAC, { mutation_sd: 0.1, key }),
      mutateArchitecture(agent.state, SAC, { new_layer_prob: 1, key }),
    ]) {
      expect(changed.networks.actor).not.toEqual(agent.state.networks.actor);
      expect(changed.parameters).toEqual(agent.state.parameters);
      expect(changed.optimizers.alpha_optimizer).toEqual(agent.state.optimizers.alpha_optimizer);
    }
    const { agent: read } = decodeAgent(encodeAgent(agent.state, spaces), "agent.safetensors");
    expect(read).toEqual(agent.state);
  });

  it("ends training when it is no number any more", () => {
    const { state } = made();
    const parameters = { log_alpha: { shape: [], values: Float32Array.of(Number.NaN) } };
    expect(() => requireFinite({ ...state, parameters }, 2)).toThrow(/member 2: parameter log_alpha/);
  });
});

describe("SAC agents", () => {
  it("act within the environment's bounds, by chance while training and by their mean otherwise", () => {
    const agent = made();
    expect(agent).toBeInstanceOf(agentClasses.SAC);
    expect(agent.constructor.name).toBe("SAC");
    const observation = [0.1, 0.2, 0.3];
    const draws = Array.from({ length: 20 }, () => agent.getAction(observation));
    for (const [first, second] of draws) {
      expect(Math.abs(first as number)).toBeLessThanOrEqual(1);
      expect(Math.abs((second as number) - 0.5)).toBeLessThanOrEqual(2.5);
    }
    expect(new Set(draws.map(([first]) => first)).size).toBeGreaterThan(1);
    const greedy = () => agent.getAction(observation, { training: false });
    expect(greedy()).toEqual(greedy());
  });

  it("refuse choices, and actions off their scale", () => {
    const choices = { observation_space, action_space: new Discrete(3) };
    expect(() => new agentClasses.SAC(choices)).toThrow(/SAC cannot act in this environment: .*allowed: Box/);
    const wild = { ...experiences(8), action: new Float32Array(8 * SIZE).fill(1.5) };
    expect(() => made().learn(wild)).toThrow(/action\[0\] of transition 0: found 1.5, allowed -1 to 1/);
  });

  it("are not known to AgileRL, as an export says", () => {
    expect(exportWarnings(parseManifest(builtInTemplate("sac-pendulum").manifest), [])).toEqual([
      { path: "algorithm.name", message: '"SAC" is known to rlkit only' },
    ]);
    expect(parseAlgorithm("SAC")).toMatchObject({ lr_alpha: 3e-4, share_encoders: false });
  });
});
