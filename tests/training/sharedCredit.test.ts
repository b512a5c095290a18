/** What a member's turn earns, when learning steps are due by the transitions of the population. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { tinyDqn } from "../workers/support/manifests.ts";
import { buildRun } from "../workers/support/trainWith.ts";
import { ScriptedExecutor } from "./support/scriptedExecutor.ts";

const [MEMBERS, GENERATIONS, EVO_STEPS, LANES] = [4, 5, 128, 4];

/** A run with tournaments; `fails` says which slots fail, by generation. */
async function turnsOf(fails: readonly (readonly boolean[])[], training: object = {}, learn_step = 4) {
  const manifest = tinyDqn({ pop_size: MEMBERS, max_steps: GENERATIONS * EVO_STEPS });
  const rl_hp_selection = { learn_step: { min: 1, max: Math.max(16, learn_step) } };
  const executor = new ScriptedExecutor((slot, generation) =>
    fails[generation - 1]?.[slot] ? "its environment is gone" : ((slot + generation) * 7) % 5,
  );
  const run = buildRun(
    {
      ...manifest,
      algorithm: { ...manifest.algorithm, learn_step },
      training: { ...manifest.training, learn_from: "population", ...training },
      mutation: { ...manifest.mutation, rl_hp_selection },
    },
    executor,
  );
  await run.train();
  return { turns: executor.trained, state: run.state };
}

/** Slots that fail in each generation; one of them never does, so that the run goes on. */
const failures = fc
  .array(fc.array(fc.boolean(), { minLength: MEMBERS, maxLength: MEMBERS }), {
    minLength: GENERATIONS,
    maxLength: GENERATIONS,
  })
  .map((all) => all.map((slots, g) => slots.map((fails, slot) => fails && slot !== g % MEMBERS)));

it("is its lanes' own, and what other slots collected in the last generation, up to the bound", async () => {
  let copies = 0;
  await fc.assert(
    fc.asyncProperty(failures, fc.double({ min: 0.01, max: 8, noNaN: true }), async (fails, ratio) => {
      const { turns, state } = await turnsOf(fails, { max_replay_ratio: ratio });
      expect(turns).toHaveLength(GENERATIONS);
      for (const [g, members] of turns.entries()) {
        const before = turns[g - 1]?.map(({ agent }) => agent.index) ?? [];
        for (const { agent, turn } of members) {
          const { index, parent, hyperparameters } = agent;
          const source = before.includes(index) ? index : parent;
          if (source !== index) copies++;
          const others = before.filter((other, slot) => other !== source && !fails[g - 1]?.[slot]).length;
          const most = ratio * LANES * Number(hyperparameters.learn_step);
          const found = turn.off_policy?.earned as number;
          const due = Math.min(LANES * (1 + others), most);
          expect(found).toBeLessThanOrEqual(due);
          expect(due - found).toBeLessThan(1 / 1024);
          // What f32 adds up exactly.
          expect(Number.isInteger(found * 1024)).toBe(true);
        }
      }
      const last = fails[GENERATIONS - 1]?.map((failed) => (failed ? 0 : EVO_STEPS));
      expect(state.replay?.collected).toEqual(last);
    }),
    { numRuns: 25 },
  );
  expect(copies).toBeGreaterThan(25);
});

it("is all that the population collected, with a bound that is far off", async () => {
  const { turns } = await turnsOf([], { max_replay_ratio: 1e30 });
  expect(turns.map((members) => members.map(({ turn }) => turn.off_policy?.earned))).toEqual([
    [4, 4, 4, 4],
    ...Array(GENERATIONS - 1).fill([16, 16, 16, 16]),
  ]);
});

it("is a whole number where f32 counts no fractions, beside a learn_step that is large", async () => {
  const { turns } = await turnsOf([], { max_replay_ratio: 0.0001 }, 21_000);
  for (const { agent, turn } of turns.slice(1).flat()) {
    const most = Math.min(0.0001 * LANES * Number(agent.hyperparameters.learn_step), 16);
    expect(turn.off_policy?.earned).toBe(Math.floor(most));
  }
});

it("is not said where members learn from their own", async () => {
  const { turns, state } = await turnsOf([], { learn_from: "own" });
  for (const { turn } of turns.flat()) {
    expect(turn.off_policy).not.toHaveProperty("earned");
    expect(turn.off_policy).not.toHaveProperty("max_replay_ratio");
  }
  expect(state.replay).not.toHaveProperty("collected");
});
