/** Fitted Q evaluation against values that are known exactly, and as the fitness of populations. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AgentState,
  createAgent,
  DeviceReplay,
  FittedQ,
  type FittedQSettings,
  type OffPolicyTurn,
  type Slice,
  type Turn,
} from "../../../src/agents/members.ts";
import { type DatasetArrays, datasetOf } from "../../../src/datasets/index.ts";
import { mean } from "../../../src/evolution/members.ts";
import { Random } from "../../../src/evolution/random.ts";
import { WasmDevice } from "../../../src/kernels/devices.ts";
import { parseManifestObject } from "../../../src/manifests/index.ts";
import { Box } from "../../../src/rl/spaces.ts";
import { dealt, readRunData } from "../../../src/training/rl/datasetReplay.ts";

const space = (low: number, high: number) => new Box({ low, high, shape: [1] });
const SPACES = { observation_space: space(-10, 10), action_space: space(-1, 1) };

/** x' = 0.8 x + 0.5 u, with the reward -(x - 1)^2: pushing to the right is best. */
const moved = (x: number, u: number): number => 0.8 * x + 0.5 * u;
const worth = (x: number): number => -((x - 1) ** 2);

const EPISODE = 10;

/** Episodes of random pushes from random places, cut by a limit. */
function pushes(episodes: number, reward: (x: number) => number): DatasetArrays {
  const random = new Random({ seed: 1 });
  const found = {
    observations: [],
    next_observations: [],
    actions: [],
    rewards: [],
    terminals: [],
    timeouts: [],
  };
  const add = (row: Record<keyof typeof found, unknown>) => {
    for (const [name, value] of Object.entries(row))
      (found[name as keyof typeof found] as unknown[]).push(value);
  };
  for (let episode = 0; episode < episodes; episode++) {
    let x = 4 * random.uniform() - 2;
    const push = 2 * random.uniform() - 1;
    for (let step = 0; step < EPISODE; step++) {
      const u = Math.min(1, Math.max(-1, push + random.uniform() - 0.5));
      const next = moved(x, u);
      add({
        observations: [x],
        next_observations: [next],
        actions: [u],
        rewards: reward(x),
        terminals: 0,
        timeouts: Number(step === EPISODE - 1),
      });
      x = next;
    }
  }
  return found;
}

/** An agent that always pushes with `u`. */
function constantPolicy(u: number): AgentState {
  const { algorithm: spec } = parseManifestObject({
    algorithm: { name: "BC" },
    environment: { name: "Pendulum-v1", dataset_path: "-" },
  });
  const agent = createAgent({ spec, ...SPACES });
  const actor = agent.networks.actor as AgentState["networks"][string];
  const tensors = Object.fromEntries(
    Object.entries(actor.tensors).map(([name, values]) => [
      name,
      values.map(() => (name === "head_net.output.bias" ? Math.atanh(u) : 0)),
    ]),
  );
  return { ...agent, networks: { actor: { ...actor, tensors } } };
}

/** What fitted Q evaluation says of policies. */
async function estimated(arrays: DatasetArrays, agents: readonly AgentState[], fqe: FittedQSettings) {
  const opened = async () => ({ dataset: datasetOf(arrays), close: () => undefined });
  const data = await readRunData(opened, SPACES, null, "", { share: 0.2, gamma: fqe.gamma });
  const { segment, rings, held, data: parts } = dealt(data, 1);
  const device = new WasmDevice();
  const replay = new DeviceReplay(device, SPACES, 1, segment);
  const starts: number[] = [];
  for await (const { slot, start, count, rows } of parts?.() ?? []) {
    replay.write(slot, start, count, rows);
    if (start >= (held?.start ?? 0)) starts.push(rows.obs[0] as number);
  }
  if (!held || !rings[0]) throw new Error("nothing was held out");
  const fitted = new FittedQ(device, SPACES, replay, held);
  const [ring] = rings;
  const off_policy: OffPolicyTurn = {
    offline: true,
    learning_delay: 0,
    eps_end: 0,
    eps_decay: 1,
    epsilon: 0,
    ring,
    visible: [{ start: 0, length: ring.count }],
    priorities: null,
  };
  const turn: Turn = {
    slot: 0,
    generation: 1,
    seed: 3,
    num_envs: 1,
    evo_steps: 1,
    eval_loop: 1,
    eval_steps: null,
    fqe,
    off_policy,
  };
  const all = agents.map((agent) => ended(fitted.estimate(agent, turn)));
  fitted.release();
  device.close();
  return { all, starts, held };
}

function ended<T>(work: Generator<Slice, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** The discounted return of constant pushes from x. */
function exact(x: number, u: number, gamma: number): number {
  let [at, value, factor] = [x, 0, 1];
  for (let step = 0; step < 400; step++, factor *= gamma) {
    value += factor * worth(at);
    at = moved(at, u);
  }
  return value;
}

describe("fitted Q evaluation", () => {
  it("finds the values of known policies within 5 %, and ranks them rightly", async () => {
    const gamma = 0.8;
    const pushed = [0.6, 0, -0.6];
    const { all, starts } = await estimated(pushes(200, worth), pushed.map(constantPolicy), {
      steps: 600,
      lr: 1e-3,
      gamma,
    });
    const known = pushed.map((u) => mean(starts.map((x) => exact(x, u, gamma))));
    const found = all.map(({ evaluation }) => evaluation.fitness);
    found.forEach((value, i) => expect(Math.abs(value / (known[i] as number) - 1)).toBeLessThan(0.05));
    expect(found.toSorted((a, b) => b - a)).toEqual(found);
    for (const { metrics, evaluation } of all) {
      expect(metrics.fqe_low).toBeLessThan(evaluation.fitness);
      expect(metrics.fqe_high).toBeGreaterThan(evaluation.fitness);
    }
  });

  it("gives c / (1 - gamma) for a reward of c in every step of tasks without an end", async () => {
    const constant = fc.record({
      c: fc.constantFrom(-20, -0.3, 0, 7),
      gamma: fc.double({ min: 0.5, max: 0.8, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(constant, async ({ c, gamma }) => {
        const policy = [constantPolicy(0.3)];
        const { all } = await estimated(
          pushes(20, () => c),
          policy,
          { steps: 300, lr: 1e-3, gamma },
        );
        const { fitness = Number.NaN } = all[0]?.evaluation ?? {};
        expect(Math.abs(fitness * (1 - gamma) - c)).toBeLessThan(0.01 * (Math.abs(c) || 1));
      }),
      { numRuns: 3, examples: [[{ c: 0, gamma: 0.7 }]], endOnFailure: true },
    );
  });
});
