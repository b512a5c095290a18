/** Episodes of environments that JavaScript steps, over generations. */
// @apart: its programs and devices fill much memory.
import { describe, expect, it } from "vitest";
import { memoryFileStore } from "../../src/storage/index.ts";
import { Accelerator, type TrainerOptions } from "../../src/training/index.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import { dqn, endOf, recurrentPpo, trained } from "./support/tiny.ts";

keepThreads();

const place = (name: string, env_config: object = {}) => ({
  environment: { env_type: "gym" as const, name, num_envs: 4, env_config },
});

/** A generation is 40 steps of each lane. */
const LONG = { evo_steps: 160, max_steps: 640, eval_steps: 10 };

const KINDS: Readonly<Record<string, (more?: object) => TrainerOptions>> = {
  "LunarLander, which is repeated,": (more) => dqn({ ...more, ...place("LunarLander-v3"), training: LONG }),
  "a body in MuJoCo": (more) =>
    recurrentPpo({
      ...more,
      ...place("HalfCheetah-v5"),
      training: LONG,
      algorithm: { learn_step: 80 },
    }),
};

const scoresOf = ({ recorder }: Awaited<ReturnType<typeof trained>>) =>
  recorder.generations.map(({ members }) => members.map(({ score }) => score));

describe.each(Object.entries(KINDS))("%s", (_name, options) => {
  it("ends with the same bits when it was stopped and resumed, and in workers", async () => {
    const whole = await trained(options({ seed: 7 }));
    const store = memoryFileStore();
    const { recorder } = await trained(options({ seed: 7, store }), {
      checkpoint_steps: 1,
      checkpoint_path: "c",
      watch: (event, run) => {
        if (event.event === "generation" && event.generation === 2) setImmediate(() => run.stop());
      },
    });
    const resumed = await trained(
      options({ store, resume_from_checkpoint: recorder.checkpoints.at(-1) as string }),
    );
    expect(endOf(resumed)).toEqual(endOf(whole));
    const workers = await trained(options({ seed: 7, accelerator: new Accelerator({ workers: 2 }) }));
    expect(endOf(workers)).toEqual(endOf(whole));
    expect(scoresOf(workers)).toEqual(scoresOf(whole));
    console.log(JSON.stringify(scoresOf(whole)));
  });
});
