/** The split of rollouts into minibatches, and recurrent networks on the parts. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bindAgent, rolloutSizes, structureOf } from "../../../../src/agents/members.ts";
import {
  type Device,
  grad,
  iota,
  mul,
  reshape,
  scan,
  state,
  sumAll,
  type Tensor,
  takeRows,
  trace,
} from "../../../../src/kernels/index.ts";
import type { PPOSpecInput } from "../../../../src/manifests/index.ts";
import { PPO } from "../../../../src/rl/definitions.ts";
import { readNetworks } from "../../../../src/rl/programs/learning.ts";
import { mapMemory } from "../../../../src/rl/programs/memory.ts";
import { cutRollout, minibatches, pieceAt } from "../../../../src/rl/programs/minibatches.ts";
import { flat, rolloutStates } from "../../../../src/rl/programs/rollout.ts";
import { Box, Discrete } from "../../../../src/rl/spaces.ts";
import { devices } from "../../../kernels/support/devices.ts";
import { numbers } from "../../../kernels/support/numbers.ts";
import { type Buffers, runOnDevice, runOnReference } from "../../../kernels/support/run.ts";
import { agentOf } from "../../support/agents.ts";

const layout = {
  observation_space: new Box({ low: -1, high: 1, shape: [3] }),
  action_space: new Discrete(2),
};
const network = { latent_dim: 8, encoder_config: { hidden_state_size: 8, num_layers: 1 } };

const recurrentAgent = (fields: Omit<PPOSpecInput, "name">) =>
  agentOf({ ...fields, name: "PPO", recurrent: true }, { ...layout, network });
type Agent = ReturnType<typeof recurrentAgent>;

/** Minibatches without shuffling: the rows of each, and the gradient of the sum of all latents. */
const minibatchProgram = (agent: Agent) =>
  trace("minibatches", () => {
    const structure = structureOf(agent);
    const networks = readNetworks(structure, ["actor"]);
    const rollout = rolloutStates(layout, networks);
    const obs = flat(rollout.obs);
    const cut = cutRollout(PPO, layout, {
      inputs: (rows) => takeRows(obs, rows),
      done: flat(rollout.done),
      memory: mapMemory(rollout.memory, flat),
    });
    const order = iota(cut.pieces);
    const { ys } = scan({ count: minibatches, carry: [] }, (_carry, _xs, m) => {
      const { index, weight, encode } = cut.minibatch(pieceAt(order, m));
      const latent = encode(networks)("actor");
      const loss = sumAll(mul(latent, reshapeColumn(weight)));
      const actor = networks.actor;
      if (!actor) throw new Error("no actor");
      const gradient = grad(loss, [actor.parameter("encoder.lstm.weight_hh_l0")])[0] as Tensor;
      return { carry: [], ys: [index, weight, gradient] };
    });
    ["index", "weight", "gradient"].forEach((name, i) => {
      const value = ys[i] as Tensor;
      state(name, value.shape, { dtype: value.dtype }).write(value);
    });
  });

const reshapeColumn = (x: Tensor): Tensor => reshape(x, [...x.shape, 1]);

const buffersOf = (agent: Agent, horizon: number, lanes: number, seed: number): Buffers => {
  const next = numbers(seed);
  const fill = (n: number, value = () => next() - 0.5) => Array.from({ length: n }, value);
  const tensors = Object.entries(agent.networks.actor?.tensors ?? {});
  return {
    ...Object.fromEntries(tensors.map(([name, values]) => [`actor.${name}`, [...values]])),
    "rollout.obs": fill(horizon * lanes * 3),
    "rollout.done": fill(horizon * lanes, () => (next() < 0.25 ? 1 : 0)),
    "rollout.memory.actor.encoder.h0": fill(horizon * lanes * 8),
    "rollout.memory.actor.encoder.c0": fill(horizon * lanes * 8),
  };
};

interface Case {
  readonly agent: Agent;
  readonly horizon: number;
  readonly lanes: number;
  readonly length: number;
}

const types = ["chunked", "fifty_percent_overlap", "maximum"] as const;
const casesOf = (type: (typeof types)[number]): fc.Arbitrary<Case> =>
  fc
    .record({
      horizon: fc.integer({ min: 1, max: 11 }),
      lanes: fc.integer({ min: 1, max: 3 }),
      max_seq_len: fc.option(fc.integer({ min: 1, max: 13 })),
      batch_size: fc.integer({ min: 1, max: 9 }),
    })
    .map(({ horizon, lanes, max_seq_len, batch_size }) => ({
      agent: recurrentAgent({ max_seq_len, batch_size, bptt_sequence_type: type }),
      horizon,
      lanes,
      length: Math.min(max_seq_len ?? horizon, horizon),
    }));

/** Steps of a lane's sequences, by definition: [start, end). */
function expectedSequences(
  type: (typeof types)[number],
  horizon: number,
  length: number,
): [number, number][] {
  const stride = { chunked: length, fifty_percent_overlap: Math.max(1, Math.floor(length / 2)), maximum: 1 }[
    type
  ];
  const found: [number, number][] = [];
  for (let start = 0; found.length === 0 || (found.at(-1)?.[1] ?? 0) < horizon; start += stride)
    found.push([start, Math.min(start + length, horizon)]);
  return found;
}

describe("sequences of a rollout", () => {
  it.each(types)("%s: every sequence of every lane once, and no step is dropped", (type) => {
    fc.assert(
      fc.property(casesOf(type), ({ agent, horizon, lanes, length }) => {
        const sizes = rolloutSizes(agent, lanes, horizon);
        const found = runOnReference(
          minibatchProgram(agent),
          bindAgent(agent, sizes),
          buffersOf(agent, horizon, lanes, 1),
        );
        const counted = new Map<number, number>();
        found.index?.forEach((row, i) => {
          if (found.weight?.[i] === 1) counted.set(row, (counted.get(row) ?? 0) + 1);
        });
        const expected = new Map<number, number>();
        for (const [start, end] of expectedSequences(type, horizon, length))
          for (let t = start; t < end; t++)
            for (let lane = 0; lane < lanes; lane++)
              expected.set(t * lanes + lane, (expected.get(t * lanes + lane) ?? 0) + 1);
        const sorted = (map: Map<number, number>) => [...map].sort(([a], [b]) => a - b);
        expect(sorted(counted)).toEqual(sorted(expected));
        expect(expected.size).toBe(horizon * lanes);
      }),
      { numRuns: 40, seed: 31 },
    );
  });
});

describe.each(devices)("an episode's end in a sequence on $name", ({ create }) => {
  let device: Device;
  beforeAll(async () => {
    device = await create();
  });
  afterAll(() => device.close());

  it("gives the gradient of the sequences cut there", async () => {
    const [horizon, lanes] = [7, 2];
    const agent = recurrentAgent({ batch_size: 64 });
    const initial = buffersOf(agent, horizon, lanes, 5);
    const at = (t: number, lane: number) => t * lanes + lane;
    const ends = [at(2, 0), at(3, 0), at(6, 0), at(1, 1)];
    const done = Array.from({ length: horizon * lanes }, (_, row) => (ends.includes(row) ? 1 : 0));
    // The recurrent state at the start of an episode is zero.
    const starts = (row: number) => row >= lanes && done[row - lanes] === 1;
    const memory = Object.fromEntries(
      Object.entries(initial)
        .filter(([name]) => name.startsWith("rollout.memory"))
        .map(([name, values]) => [name, values.map((v, i) => (starts(Math.floor(i / 8)) ? 0 : v))]),
    );
    const { gradient } = await runOnDevice(
      device,
      minibatchProgram(agent),
      bindAgent(agent, rolloutSizes(agent, lanes, horizon)),
      { ...initial, ...memory, "rollout.done": done },
    );
    // Computes each episode as a separate rollout.
    const total = Array<number>(8 * 32).fill(0);
    for (let lane = 0; lane < lanes; lane++) {
      let start = 0;
      for (let t = 0; t < horizon; t++) {
        if (done[at(t, lane)] !== 1 && t < horizon - 1) continue;
        const rows = Array.from({ length: t + 1 - start }, (_, i) => at(start + i, lane));
        const pick = (name: string, width: number) =>
          rows.flatMap(
            (row) => ({ ...initial, ...memory })[name]?.slice(row * width, (row + 1) * width) ?? [],
          );
        const own = runOnReference(
          minibatchProgram(agent),
          bindAgent(agent, rolloutSizes(agent, 1, rows.length)),
          {
            ...initial,
            "rollout.obs": pick("rollout.obs", 3),
            "rollout.done": rows.map(() => 0),
            "rollout.memory.actor.encoder.h0": pick("rollout.memory.actor.encoder.h0", 8),
            "rollout.memory.actor.encoder.c0": pick("rollout.memory.actor.encoder.c0", 8),
          },
          { precision: "f64" },
        );
        own.gradient?.forEach((g, i) => {
          total[i] = (total[i] ?? 0) + g;
        });
        start = t + 1;
      }
    }
    expect(total.some((g) => Math.abs(g) > 1e-3)).toBe(true);
    total.forEach((g, i) => expect(gradient?.[i]).toBeCloseTo(g, 4));
  });
});
