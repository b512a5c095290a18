/** Q-learning where the action that looks best after a step is not legal, against the exact values. */
// @apart: it registers an environment.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentState, noPriorities, visiblePriorities } from "../../../src/agents/members.ts";
import { add, and, equal, greater, minimum, or, select, stackColumns } from "../../../src/kernels/index.ts";
import { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import type { AlgoSpecInput } from "../../../src/manifests/index.ts";
import {
  compiledEnvironment,
  loadEnvironment,
  type MakeHostEnvironment,
  make,
  registerEnvironment,
} from "../../../src/rl/environments.ts";
import type { Info } from "../../../src/rl/faces.ts";
import { type MemoryKind, PLAIN_MEMORY } from "../../../src/rl/programs.ts";
import { Discrete } from "../../../src/rl/spaces.ts";
import { GpuExecutor } from "../../../src/training/executors.ts";
import type { Executor, Written } from "../../../src/training/workloads.ts";
import { softwareAdapter } from "../../kernels/support/softwareAdapter.ts";
import { agentOf } from "../../rl/support/agents.ts";
import { offPolicyOf, turnOf } from "../../rl/support/turns.ts";
import { outputs } from "../../rl/support/values.ts";
import { inThread } from "../support/rlRuns.ts";

/** Legal actions of the fork and of the two steps to the pit. All rewards are negative, so that others look better. */
const LEGAL = [
  [1, 1, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const GAMMA = 0.9;
/** Best values of the legal actions: a way to the pit that costs 1 at its end, or an end that costs 0.5 at once. */
const BEST = [
  [GAMMA ** 2 * -1, -0.5],
  [Number.NaN, GAMMA * -1],
  [Number.NaN, Number.NaN, -1],
];
const spaces = { observation_space: new Discrete(3), action_space: new Discrete(3) };

const FORK = "test/Fork-v0";

/** The mask is only told where the pit is near; before that, all actions look legal. */
function fork(): ReturnType<MakeHostEnvironment> {
  let at = 0;
  const seen = () => ({
    observation: Float32Array.of(at),
    info: (at === 0 ? {} : { action_mask: LEGAL[at] }) as Info,
  });
  const reset = () => {
    at = 0;
    return seen();
  };
  const step = (action: unknown) => {
    const isEnd = at === 2 || (at === 0 && action !== 0);
    const reward = at === 2 ? -1 : isEnd ? -0.5 : 0;
    at = Math.min(2, at + 1);
    return { ...seen(), reward, terminated: isEnd, truncated: false };
  };
  // What else it has is that of any environment.
  return Object.assign(make("CartPole-v1"), { ...spaces, reset, step });
}

/** The same as a compiled environment, which knows all its masks. */
const COMPILED = compiledEnvironment({
  id: "test/CompiledFork-v0",
  ...spaces,
  max_episode_steps: 9,
  reward_threshold: null,
  resetRanges: { at: [0, 0] },
  observe: ({ at }) => at,
  actionMask: ({ at }) =>
    stackColumns(
      [0, 1, 2].map((action) =>
        select(
          equal(at, 2),
          action === 2 ? 1 : 0,
          select(equal(at, 1), action === 1 ? 1 : 0, action === 2 ? 0 : 1),
        ),
      ),
    ),
  step: ({ at }, action) => {
    const isPit = equal(at, 2);
    const isEnd = or(isPit, and(equal(at, 0), greater(action, 0)));
    return {
      state: { at: minimum(add(at, 1), 2) },
      reward: select(isPit, -1, select(isEnd, -0.5, 0)),
      terminated: isEnd,
    };
  },
});

let device: WebGpuDevice;
beforeAll(async () => {
  const facts = { ...spaces, max_episode_steps: 9, reward_threshold: null };
  registerEnvironment({ id: FORK, ...facts, load: async () => fork });
  await loadEnvironment(FORK);
  registerEnvironment(COMPILED);
  device = await WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 });
});
afterAll(() => device.close());

const layers = { hidden_size: [8], layer_norm: false };
const network = { latent_dim: 8, encoder_config: layers, head_config: layers };
const SEGMENT = 4000;

const onGpu = () => new GpuExecutor({ open: async () => device, keepsDevice: true, busy: 16 });

/** A turn of one member. @param place.written The transitions that it learns from, if it does not play. */
async function learned(
  executor: Executor,
  [spec, kind, steps]: Run,
  {
    written = null,
    environment = FORK,
  }: { readonly written?: Written | null; readonly environment?: string } = {},
): Promise<{ readonly agent: AgentState; readonly written: Written | null }> {
  const agent = agentOf(
    { gamma: GAMMA, tau: 0.05, batch_size: 32, learn_step: 4, ...spec },
    { ...spaces, network, seed: 3 },
  );
  const ring = { position: 0, count: written?.count ?? 0 };
  const visible = [{ start: 0, length: ring.count }];
  const given = { alpha: 0.6, progress: 1, progress_step: 0 };
  const priorities = kind.prioritized
    ? { ...visiblePriorities(noPriorities(SEGMENT), 0.6, { slot: 0, ring, visible }, SEGMENT), ...given }
    : null;
  const off_policy = {
    ...offPolicyOf({ eps_end: 1, eps_decay: 1, ring, visible, priorities }),
    ...(written && { offline: true as const }),
  };
  await executor.open({
    workload: "rl",
    environment,
    replay: { population: 1, segment: SEGMENT, kind: { ...kind, ...(written && { masked: true }) } },
    written: written ? [written] : [],
  });
  const turn = turnOf({ num_envs: 8, evo_steps: steps, off_policy });
  const [outcome] = await executor.generation([{ agent, turn }], [], () => undefined);
  await executor.close();
  if (!outcome?.ok) throw new Error(outcome?.message);
  const rows = outcome.result.off_policy?.written;
  return { agent: outcome.result.agent, written: rows ? { slot: 0, ...rows } : null };
}

/** Values of all actions; of Rainbow, the means of its distributions. */
function valuesOf(agent: AgentState): number[][] {
  const all = outputs(agent, "actor", 3);
  if (agent.algorithm !== "RainbowDQN") return all;
  return all.map((row) =>
    [0, 1, 2].map((action) => {
      const logits = row.slice(action * ATOMS, (action + 1) * ATOMS).map(Math.exp);
      const sum = logits.reduce((a, b) => a + b, 0);
      return logits.reduce((mean, p, atom) => mean + (p / sum) * ((2 * atom) / (ATOMS - 1) - 1), 0);
    }),
  );
}

const ATOMS = 5;
const dqn = { name: "DQN", lr: 3e-3 } as const;
const rainbow = {
  name: "RainbowDQN",
  lr: 1e-2,
  noise_std: 0.1,
  v_min: -1,
  v_max: 1,
  num_atoms: ATOMS,
} as const;
const twoSteps = { n_step: 2, prioritized: false };
const RUNS = {
  DQN: [dqn, PLAIN_MEMORY, 1600],
  "double DQN": [{ ...dqn, double: true }, PLAIN_MEMORY, 1600],
  "DQN over two steps": [dqn, twoSteps, 1600],
  Rainbow: [rainbow, PLAIN_MEMORY, 1600],
  "Rainbow by priority, over one step and two": [
    { ...rainbow, combined_reward: true },
    { n_step: 2, prioritized: true },
    4000,
  ],
  "CQN from those transitions": [{ name: "CQN", lr: 3e-3, alpha: 0 }, PLAIN_MEMORY, 400],
} as const satisfies Record<string, readonly [spec: AlgoSpecInput, kind: MemoryKind, steps: number]>;
type Run = readonly [spec: AlgoSpecInput, kind: MemoryKind, steps: number];

/** The largest error of a legal action's value, as a part of the value. */
async function worstError(open: () => Executor, run: Run, environment = FORK): Promise<number> {
  const written = run[0].name === "CQN" ? (await learned(inThread(), RUNS.DQN)).written : null;
  const values = valuesOf((await learned(open(), run, { written, environment })).agent);
  const errors = BEST.flatMap((best, state) =>
    best.flatMap((value, action) =>
      LEGAL[state]?.[action] === 1 ? [Math.abs((values[state]?.[action] as number) / value - 1)] : [],
    ),
  );
  expect(errors).toHaveLength(4);
  return Math.max(...errors);
}

describe("the values of legal actions are the best ones", () => {
  it.each(Object.entries<Run>(RUNS))("of %s on wasm", async (_name, run) => {
    expect(await worstError(inThread, run)).toBeLessThan(0.01);
  });

  it.each([
    ["wasm", inThread],
    ["WebGPU", onGpu],
  ])("of DQN over two steps on %s in a compiled environment", async (_device, open) => {
    expect(await worstError(open, RUNS["DQN over two steps"], COMPILED.id)).toBeLessThan(0.01);
  });

  // How masks get there; what is computed from them is the same program on wasm. SwiftShader compiles Rainbow's for a minute.
  it.each(["DQN", "DQN over two steps", "CQN from those transitions"] as const)(
    "of %s on WebGPU",
    async (name) => {
      expect(await worstError(onGpu, RUNS[name])).toBeLessThan(0.01);
    },
  );
});
