import { describe, expect, test } from "vitest";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import {
  concat,
  constant,
  iota,
  ones,
  state,
  type Tensor,
  takeRows,
  trace,
  zeros,
} from "../../../../src/kernels/index.ts";
import type { Networks } from "../../../../src/rl/contract/network.ts";
import type { RolloutBatch } from "../../../../src/rl/contract/onPolicy.ts";
import { builtInEnvironments } from "../../../../src/rl/environments/builtIn.ts";
import type { GameFace } from "../../../../src/rl/environments/definition/compiledEnvironment.ts";
import { TicTacToe } from "../../../../src/rl/environments/games/stones/TicTacToe.ts";
import { isCompiled } from "../../../../src/rl/environments.ts";
import type { Learner } from "../../../../src/rl/programs/learning.ts";
import { cutRollout } from "../../../../src/rl/programs/minibatches.ts";
import { knownBatch, type OffPolicyStructure } from "../../../../src/rl/programs/offPolicy.ts";
import { learnFrom, type OnPolicyStructure } from "../../../../src/rl/programs/rolloutLearning.ts";
import { symmetricForms } from "../../../../src/rl/programs/symmetries.ts";
import type { AgentSpaces } from "../../../../src/rl/spaces.ts";
import { devices } from "../../../kernels/support/devices.ts";
import { runOnDevice } from "../../../kernels/support/run.ts";

const games = builtInEnvironments.flatMap((env) =>
  isCompiled(env) && env.game?.rules.symmetries ? [env.game.rules] : [],
);

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Values of places, `width` of each, where a permutation sends them. */
const sent = (values: readonly number[], map: readonly number[], width = 1): number[] => {
  const after = values.map(() => Number.NaN);
  for (const [from, to] of map.entries())
    for (let i = 0; i < width; i++) after[to * width + i] = values[from * width + i] as number;
  return after;
};

describe.each(games)("$id", (rules) => {
  const { symmetries = [], observation_space, action_space } = rules;
  const [rows = 1, cols = 1, planes = 1] = observation_space.shape;
  const all = [...symmetries, { cells: range(rows * cols), actions: range(action_space.n) }];
  const n = all.length;
  const numbers = rows * cols * planes;

  test.each(devices)("moves positions as its rules say, on $name", async ({ create }) => {
    const program = trace("forms", () => {
      const read = (name: string, width: number) => state(name, [n, width]);
      const forms = symmetricForms(rules, state("uniform", [n]).read());
      const [obs, values] = [read("obs", numbers), read("values", action_space.n)];
      const action = state("action", [n], { dtype: "i32" });
      obs.write(forms.observation(obs.read()));
      values.write(forms.actions(values.read()));
      action.write(forms.action(action.read()));
    });
    const chosen = all.map((_, i) => (i * 5 + action_space.n - 1) % action_space.n);
    const [obs, values] = [range(n * numbers), range(n * action_space.n)];
    const device = await create();
    const uniform = all.map((_, i) => (i + 0.5) / n);
    const found = await runOnDevice(device, program, {}, { uniform, obs, values, action: chosen });
    device.close();
    const of = (from: readonly number[], row: number, width: number) =>
      from.slice(row * width, (row + 1) * width);
    for (const [i, { cells, actions }] of all.entries()) {
      expect(of(found.obs ?? [], i, numbers)).toEqual(sent(of(obs, i, numbers), cells, planes));
      expect(of(found.values ?? [], i, action_space.n)).toEqual(sent(of(values, i, action_space.n), actions));
      expect(found.action?.[i]).toBe(actions[chosen[i] as number]);
    }
  });
});

/** What learning steps took, in buffers named as in a batch. */
const kept = (batch: Readonly<Record<string, Tensor>>): void => {
  for (const [name, x] of Object.entries(batch)) state(name, x.shape, { dtype: x.dtype }).write(x);
};

/** A network that encodes observations as themselves. */
const plain = { actor: { memory: () => [], data: { encoder: "own" }, encode: (x: Tensor) => x } };

/** Learning steps with a batch of positions [n, 18], their legal moves and the moves. */
const LEARNS = {
  rollouts: (layout: AgentSpaces, obs: Tensor, mask: Tensor, action: Tensor) => {
    const algorithm = {
      learn: (_networks: Networks, batch: RolloutBatch) => {
        const [obs, mask] = [batch.latents("actor"), batch.mask as Tensor];
        kept({ obs, mask, action: batch.action, next_obs: obs, next_mask: mask });
        return { losses: {}, metrics: {}, kl: constant(0) };
      },
    };
    const none = zeros([ROWS]);
    const columns = { inputs: (rows: Tensor) => takeRows(obs, rows), memory: {}, action, mask };
    const all = { ...columns, done: none, log_prob: none, advantage: none, returns: none };
    // The parts of an algorithm and of networks that a minibatch uses.
    const structure = { algorithm, hyperparameters: {} } as unknown as OnPolicyStructure;
    // A minibatch reads the networks of a learner only to encode positions.
    const learner = { networks: plain, values: {} } as unknown as Learner;
    const cut = cutRollout(structure.algorithm, layout, all);
    const rows = cut.minibatch({ piece: iota(ROWS), counts: ones([ROWS], "bool") });
    learnFrom(structure, learner, layout, all, rows);
  },
  replay: (layout: AgentSpaces, obs: Tensor, mask: Tensor, action: Tensor) => {
    const both = concat([obs, mask]);
    const outcome = { reward: zeros([ROWS]), next_obs: both, done: zeros([ROWS]), discount: ones([ROWS]) };
    const stored = { ...outcome, obs: both, action, row: iota(ROWS, "u32") };
    // Nothing else of the structure is read.
    const batch = knownBatch({ hyperparameters: {} } as unknown as OffPolicyStructure, layout, stored);
    kept({ obs: batch.obs, mask: batch.mask as Tensor, action: batch.action });
    kept({ next_obs: batch.next_obs, next_mask: batch.next_mask as Tensor });
  },
};
const ROWS = 64;

test.each(Object.entries(LEARNS))(
  "learning from %s takes each position in one of all its forms",
  async (_name, learns) => {
    const { rules } = TicTacToe.game as GameFace;
    const symmetries = [...(rules.symmetries ?? []), { cells: range(9), actions: range(9) }];
    const program = trace("learning", () => {
      const read = (name: string, width: number) => state(`given.${name}`, [ROWS, width]).read();
      const action = state("given.action", [ROWS], { dtype: "i32" }).read();
      learns({ ...TicTacToe, symmetries: rules.symmetries ?? [] }, read("obs", 18), read("mask", 9), action);
    });
    // Different in all cells, so that a form tells its symmetry.
    const [obs, mask, action] = [range(18), range(9), 5];
    const everywhere = (row: readonly number[]) => range(ROWS).flatMap(() => row);
    const found = await runOnDevice(
      new WasmDevice(),
      program,
      { batch: ROWS },
      {
        "given.obs": everywhere(obs),
        "given.mask": everywhere(mask),
        "given.action": everywhere([action]),
      },
    );
    const forms = symmetries.map(({ cells, actions }) =>
      [sent(obs, cells, 2), sent(mask, actions), actions[action]].join(),
    );
    const rowOf = (name: string, row: number, width: number) =>
      found[name]?.slice(row * width, (row + 1) * width);
    const taken = range(ROWS).map((row) =>
      [rowOf("obs", row, 18), rowOf("mask", row, 9), found.action?.[row]].join(),
    );
    expect(new Set(taken)).toEqual(new Set(forms));
    // What follows, in these transitions the same position, is in the same form.
    expect([found.next_obs, found.next_mask]).toEqual([found.obs, found.mask]);
  },
);
