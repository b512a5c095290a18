// @apart: its programs and devices fill much memory.
import { beforeAll, describe, expect, it } from "vitest";
import { memoryFileStore } from "../../src/storage/index.ts";
import { Accelerator, decodeAgent, type TrainerOptions } from "../../src/training/index.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import { dqn, EVOLUTION, endOf, RUNS, trained } from "./support/tiny.ts";

keepThreads();

const LONG = { training: { max_steps: 800 }, seed: 7 };

/** A run that was killed in its fourth generation. */
async function interrupted(options: TrainerOptions, overwrite_checkpoints: boolean): Promise<string> {
  const { recorder, reason } = await trained(options, {
    checkpoint_steps: 1,
    checkpoint_path: "c",
    overwrite_checkpoints,
    watch: (event, run) => {
      if (event.event === "generation" && event.generation === 3) setImmediate(() => run.stop());
    },
  });
  expect(reason).toBe("stopped");
  return recorder.checkpoints.at(-1) as string;
}

describe.each(Object.entries(RUNS))("a resumed %s run", (name, options) => {
  let expected: ReturnType<typeof endOf>;
  beforeAll(async () => {
    expected = endOf(await trained(options(LONG)));
    expect(expected.generation).toBeGreaterThanOrEqual(5);
  });

  // Which checkpoints stay is no matter of the algorithm: one has both, and in workers another does.
  it.each(name === "DQN" ? [false, true] : [false])(
    "ends with the bits of one that never stopped (overwrite_checkpoints %s), and from there only writes its elite",
    async (overwrite) => {
      const store = memoryFileStore();
      const path = await interrupted(options({ ...LONG, store }), overwrite);
      expect(await store.list("")).toHaveLength(overwrite ? 1 : 3);
      // The seed is the checkpoint's.
      const { training } = LONG;
      const resumed = await trained(options({ training, store, resume_from_checkpoint: path }), {
        checkpoint_steps: 1,
        checkpoint_path: "c",
        overwrite_checkpoints: overwrite,
      });
      expect(endOf(resumed)).toEqual(expected);
      expect(resumed.recorder.generations[0]?.generation).toBe(4);
      expect(resumed.recorder.warnings.filter((w) => w.includes("checkpoint"))).toEqual([]);

      const last = resumed.recorder.checkpoints.at(-1) as string;
      const again = await trained(options({ training, store, resume_from_checkpoint: last }), {
        save_elite: true,
        elite_path: "elite",
      });
      expect(endOf(again)).toEqual(expected);
      expect(again.recorder.generations).toEqual([]);
      const file = decodeAgent(await store.read("elite.safetensors"), "elite");
      expect(file.agent).toEqual(expected.elite);
    },
  );

  // The loop's matter, whatever the algorithm: a memory and rollouts show it.
  it.each(["DQN", "PPO"].includes(name) ? [320] : [])(
    "goes on after its end, at %i steps, with the selection that it left out",
    async (max_steps) => {
      const store = memoryFileStore();
      const short = await trained(options({ ...LONG, training: { max_steps }, store }), {
        checkpoint_steps: 1,
      });
      expect(short.reason).toBe("max_steps");
      const path = short.recorder.checkpoints.at(-1) as string;
      const resumed = await trained(options({ ...LONG, store, resume_from_checkpoint: path }));
      expect(endOf(resumed)).toEqual(expected);
    },
  );

  // A memory by priority, an LSTM and a team; determinism.test.ts has every algorithm in workers.
  it.each(["RainbowDQN", "PPO-recurrent", "MATD3"].includes(name) ? [2] : [])(
    "ends with the same bits in %i workers",
    async (workers) => {
      const store = memoryFileStore();
      const accelerator = new Accelerator({ workers });
      const path = await interrupted(options({ ...LONG, store }), true);
      const resumed = await trained(options({ ...LONG, store, accelerator, resume_from_checkpoint: path }));
      expect(endOf(resumed)).toEqual(expected);
    },
  );
});

describe("a run that stops early", () => {
  it("counts its evaluations across a resume", async () => {
    const store = memoryFileStore();
    const options = (more: object = {}) =>
      dqn({
        ...EVOLUTION,
        store,
        training: { max_steps: 3200, early_stopping_patience: 3, early_stopping_threshold: 1e6 },
        ...more,
      });
    const whole = await trained(options({ store: memoryFileStore() }));
    expect([whole.reason, whole.state.generation]).toEqual(["early_stopping", 4]);
    const path = await interrupted(options(), true);
    expect(endOf(await trained(options({ resume_from_checkpoint: path })))).toEqual(endOf(whole));
  });
});

describe("a run that had reached its target", () => {
  it("is at its end when it is resumed, and goes on with a higher target", async () => {
    const store = memoryFileStore();
    const options = (target_score: number, more: object = {}) =>
      dqn({ ...EVOLUTION, store, training: { target_score }, ...more });
    const first = await trained(options(1), { checkpoint_steps: 1, checkpoint_path: "c" });
    expect([first.reason, first.state.generation]).toEqual(["target", 1]);
    const resume_from_checkpoint = "c_320";
    const same = await trained(options(1, { resume_from_checkpoint }));
    expect([same.reason, same.state.generation]).toEqual(["target", 1]);
    const higher = await trained(options(1e6, { resume_from_checkpoint }));
    expect(endOf(higher)).toEqual(endOf(await trained(options(1e6))));
  });
});
