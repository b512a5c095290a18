/** Runs whose first member stays while no other beats it. */
// @apart: its programs and devices fill much memory.
import { expect, it } from "vitest";
import { memoryFileStore } from "../../src/storage/index.ts";
import { Accelerator, type TrainerOptions } from "../../src/training/index.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import { dqn, endOf, statesOf, trained } from "./support/tiny.ts";

keepThreads();

/** Every other member is replaced in every generation. */
const options = (guard: boolean): TrainerOptions =>
  dqn({
    selection_strategy: { strategy: "truncation", quantile: 0.5, guard },
    mutation: { rl_hp_selection: { lr: { min: 1e-5, max: 1e-2, scale: "log", initial: "log_uniform" } } },
    training: { pop_size: 4, max_steps: 960 },
  });

it("keep the given values, after a stop and in workers, to the same bits", async () => {
  const seed = 11;
  const first = async (guard: boolean) => (await trained({ ...options(guard), seed })).state.members[0];
  const [free, held] = [await first(false), await first(true)];
  expect([free?.index, held?.index]).toEqual([expect.any(Number), 0]);
  expect(free?.index).not.toBe(0);
  expect(held?.hyperparameters.lr).toBe(0.001);

  const whole = await trained({ ...options(true), seed });
  const store = memoryFileStore();
  const { recorder } = await trained(
    { ...options(true), seed, store },
    {
      checkpoint_steps: 160,
      checkpoint_path: "c",
      watch: (event, run) => {
        if (event.event === "generation" && event.generation === 2) setImmediate(() => run.stop());
      },
    },
  );
  const resume_from_checkpoint = recorder.checkpoints.at(-1) as string;
  const resumed = await trained({ ...options(true), store, resume_from_checkpoint } as TrainerOptions);
  expect(endOf(resumed)).toEqual(endOf(whole));
  const workers = await trained({ ...options(true), seed, accelerator: new Accelerator({ workers: 2 }) });
  expect(statesOf(workers.population)).toEqual(statesOf(whole.population));
});
