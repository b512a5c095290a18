import { describe, expect, it } from "vitest";
import type { AgentState } from "../../src/rl/agents/index.ts";
import { ReplayBuffer } from "../../src/rl/buffers/index.ts";
import {
  commitCheckpoint,
  type FileStore,
  memoryFileStore,
  readCheckpoint,
} from "../../src/storage/index.ts";
import { Accelerator, decodeAgent, type TrainerOptions } from "../../src/training/index.ts";
import { LevelEnvironment } from "./support/levelEnvironment.ts";
import { withFields } from "./support/nested.ts";
import { type Changes, dqn, EVOLUTION, ppo, statesOf, type Trained, trained } from "./support/tiny.ts";
// Brings in the pool of workers.
import "../../src/workers/index.ts";

const RUNS: [string, (changes?: Changes) => TrainerOptions][] = [
  ["DQN", (changes) => dqn({ ...EVOLUTION, ...changes })],
  ["PPO", (changes) => ppo({ ...EVOLUTION, ...changes })],
];

const end = ({ population, fitnesses, state }: Trained) => ({
  members: statesOf(population),
  fitnesses,
  elite: state.elite,
  replay: state.replay,
  epsilon: state.epsilon,
  generation: state.generation,
});

const LONG = { training: { max_steps: 800 } };

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

describe.each(RUNS)("a resumed %s run", (_name, options) => {
  it.each([false, true])(
    "ends with the bits of one that never stopped (overwrite_checkpoints %s)",
    async (overwrite) => {
      const expected = end(await trained(options({ ...LONG, seed: 7 })));
      expect(expected.generation).toBeGreaterThanOrEqual(5);
      const store = memoryFileStore();
      const path = await interrupted(options({ ...LONG, seed: 7, store }), overwrite);
      expect(await store.list("")).toHaveLength(overwrite ? 1 : 3);
      // The seed is the checkpoint's.
      const resumed = await trained(options({ ...LONG, store, resume_from_checkpoint: path }), {
        checkpoint_steps: 1,
        checkpoint_path: "c",
        overwrite_checkpoints: overwrite,
      });
      expect(end(resumed)).toEqual(expected);
      expect(resumed.recorder.generations[0]?.generation).toBe(4);
      expect(resumed.recorder.warnings.filter((w) => w.includes("checkpoint"))).toEqual([]);
    },
  );

  it("goes on after its end with the selection that it left out", async () => {
    const expected = end(await trained(options(LONG)));
    const store = memoryFileStore();
    const short = await trained(options({ training: { max_steps: 320 }, store }), { checkpoint_steps: 1 });
    expect(short.reason).toBe("max_steps");
    const path = short.recorder.checkpoints.at(-1) as string;
    const resumed = await trained(options({ ...LONG, store, resume_from_checkpoint: path }));
    expect(end(resumed)).toEqual(expected);
  });

  it("ends with the same bits in workers", async () => {
    const expected = end(await trained(options(LONG)));
    const store = memoryFileStore();
    const accelerator = new Accelerator({ workers: 2 });
    const path = await interrupted(options({ ...LONG, store, accelerator }), true);
    const resumed = await trained(options({ ...LONG, store, accelerator, resume_from_checkpoint: path }));
    expect(end(resumed)).toEqual(expected);
  });

  it("that had come to its end does nothing more", async () => {
    const store = memoryFileStore();
    const first = await trained(options({ store }), { checkpoint_steps: 1 });
    const path = first.recorder.checkpoints.at(-1) as string;
    const again = await trained(options({ store, resume_from_checkpoint: path }));
    expect(end(again)).toEqual(end(first));
    expect(again.recorder.generations).toEqual([]);
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
    expect(end(higher)).toEqual(end(await trained(options(1e6))));
  });
});

describe("resuming with other settings", () => {
  /** A finished run of three generations. */
  async function finished(options: TrainerOptions, store: FileStore): Promise<Trained> {
    const run = await trained({ ...options, store }, { checkpoint_steps: 480, checkpoint_path: "c" });
    expect(run.recorder.checkpoints).toEqual(["c_960"]);
    return run;
  }
  const resume_from_checkpoint = "c_960";

  it("keeps the checkpoint's population, and says so", async () => {
    const store = memoryFileStore();
    await finished(dqn(EVOLUTION), store);
    for (const pop_size of [1, 4]) {
      const run = await trained(
        dqn({ ...EVOLUTION, store, resume_from_checkpoint, training: { pop_size, max_steps: 640 } }),
      );
      expect(run.fitnesses).toHaveLength(2);
      expect(run.recorder.warnings.join("\n")).toContain(
        `resume_from_checkpoint holds 2 members, training.pop_size says ${pop_size}; the checkpoint's population goes on`,
      );
    }
  });

  it("keeps the checkpoint's memory and hyperparameters, and says so", async () => {
    const store = memoryFileStore();
    await finished(dqn(), store);
    const run = await trained(
      dqn({
        store,
        resume_from_checkpoint,
        algorithm: { lr: 0.5, gamma: 0.9 },
        replay_buffer: { max_size: 1000 },
        training: { max_steps: 640 },
      }),
    );
    expect(run.population.map(({ hyperparameters: { lr, gamma } }) => [lr, gamma])).toEqual([
      [0.001, 0.99],
      [0.001, 0.99],
    ]);
    expect(run.state.replay?.segment).toBe(200);
    const said = run.recorder.warnings.join("\n");
    expect(said).toContain("the checkpoint's hyperparameters win over the spec's: gamma 0.99, lr 0.001");
    expect(said).toContain("holds a replay memory of 200 transitions for each member");
  });

  it("says that the environment is another one", async () => {
    const store = memoryFileStore();
    const run = (id: string, more: object = {}) =>
      trained(ppo({ environment: new LevelEnvironment(() => 1, { id }), store, ...more }), {
        checkpoint_steps: 384,
        checkpoint_path: "p",
      });
    await run("Level-v0");
    const resumed = await run("Level-v1", { resume_from_checkpoint: "p_768" });
    expect(resumed.recorder.warnings).toEqual([
      'resume_from_checkpoint was trained in "Level-v0", environment.name says "Level-v1"',
    ]);
  });

  it("refuses an environment with other observations or actions", async () => {
    const store = memoryFileStore();
    const run = (environment: string) =>
      trained(
        ppo({ environment: { name: environment, num_envs: 4 }, store, resume_from_checkpoint: "p_768" }),
      );
    await trained(ppo({ store }), { checkpoint_steps: 384, checkpoint_path: "p" });
    await expect(run("CartPole-v1")).rejects.toThrow(
      "p_768: network actor does not fit the environment's observations or actions; use a checkpoint of the same environment",
    );
    await expect(run("MountainCar-v0")).rejects.toThrow(/does not fit the environment/);
  });

  it("refuses more environments side by side than the checkpoint's memory has room for", async () => {
    const store = memoryFileStore();
    await finished(dqn({ replay_buffer: { max_size: 16 } }), store);
    const environment = { name: "CartPole-v1", num_envs: 12 };
    await expect(
      trained(dqn({ store, environment, resume_from_checkpoint, training: { max_steps: 640 } })),
    ).rejects.toThrow(/^memory: each of 2 members has room for 8 transitions, and a step of 12 environments/);
  });

  it("fills the caller's replay buffer with the checkpoint's memory", async () => {
    const store = memoryFileStore();
    await finished(dqn(EVOLUTION), store);
    const training = { max_steps: 640 };
    const expected = await trained(dqn({ ...EVOLUTION, training }));
    const memory = new ReplayBuffer({ max_size: 400 });
    memory.add({ obs: [1, 2, 3, 4], action: 0, reward: 1, next_obs: [1, 2, 3, 4], done: 0 });
    const options = { ...EVOLUTION, training, store, resume_from_checkpoint };
    const run = await trained(dqn({ ...options, replay_buffer: memory }));
    expect(end(run)).toEqual(end(expected));
    expect(memory.rings).toEqual(expected.state.replay?.rings);
    expect(memory.segments).toEqual(expected.state.replay?.segments);

    const other = new ReplayBuffer({ max_size: 500 });
    await expect(trained(dqn({ ...options, replay_buffer: other }))).rejects.toThrow(
      "replay_buffer: found a memory of 500 transitions, and the checkpoint's holds 200 for each of 2 members; give one of max_size 400",
    );
  });
});

describe("one agent's file", () => {
  const PATH = "agent.safetensors";
  /** A store with the elite of a finished run. */
  async function withElite(options: TrainerOptions): Promise<{ store: FileStore; agent: AgentState }> {
    const store = memoryFileStore();
    await trained({ ...options, store }, { save_elite: true, elite_path: PATH });
    return { store, agent: decodeAgent(await store.read(PATH), PATH).agent };
  }

  it("seeds every member of a resumed run", async () => {
    const { store, agent } = await withElite(dqn());
    const run = await trained(
      dqn({
        store,
        resume_from_checkpoint: PATH,
        algorithm: { lr: 0.01 },
        training: { pop_size: 3, max_steps: 480 },
      }),
    );
    // Its steps count: there is nothing left to do.
    expect(run.recorder.generations).toEqual([]);
    expect(statesOf(run.population)).toEqual([0, 1, 2].map((index) => ({ ...agent, index, parent: null })));
    expect(run.recorder.warnings.join()).toContain(
      "the checkpoint's hyperparameters win over the spec's: lr 0.001",
    );

    const more = await trained(dqn({ store, resume_from_checkpoint: PATH, training: { max_steps: 640 } }));
    expect(more.population.map(({ steps, fitness }) => [steps, fitness.length])).toEqual([
      [640, 4],
      [640, 4],
    ]);
  });

  it("may be named with the ending .pt that it was saved under", async () => {
    const { store, agent } = await withElite(dqn());
    const run = await trained(dqn({ store, resume_from_checkpoint: "agent.pt" }));
    expect(run.population[0]?.state.networks).toEqual(agent.networks);
  });

  it("gives its networks to a new run, and nothing else", async () => {
    const { store, agent } = await withElite(dqn(EVOLUTION));
    const seen: AgentState[][] = [];
    const run = await trained(
      dqn({
        store,
        load_weights_from: PATH,
        algorithm: { lr: 0.02, batch_size: 16, learn_step: 7 },
        training: { pop_size: 3 },
      }),
      {
        onRun: (r) => {
          seen.push([...r.state.members]);
          r.stop();
        },
      },
    );
    expect(seen[0]).toHaveLength(3);
    for (const [index, member] of statesOf(run.population).entries()) {
      expect(member.networks).toEqual(agent.networks);
      expect(member).toMatchObject({
        index,
        parent: null,
        steps: 0,
        fitness: [],
        learn_credit: 0,
        mut: "None",
      });
      expect(member.hyperparameters).toMatchObject({ lr: 0.02, batch_size: 16, learn_step: 7 });
      const { step, first, second } = member.optimizers.optimizer ?? {};
      expect(step).toBe(0);
      for (const moments of [first, second]) {
        expect(Object.keys(moments ?? {})).toEqual(Object.keys(agent.optimizers.optimizer?.first ?? {}));
        for (const [name, values] of Object.entries(moments ?? {})) {
          expect(values).toHaveLength(agent.optimizers.optimizer?.first[name]?.length ?? -1);
          expect(values.every((x) => x === 0)).toBe(true);
        }
      }
    }
  });

  it("may be the elite of a checkpoint directory", async () => {
    const store = memoryFileStore();
    const { state } = await trained(dqn({ ...EVOLUTION, store }), {
      checkpoint_steps: 480,
      checkpoint_path: "c",
    });
    const memory = new ReplayBuffer({ max_size: 400 });
    const run = await trained(dqn({ store, load_weights_from: "c_960", replay_buffer: memory }), {
      onRun: (r) => r.stop(),
    });
    for (const member of statesOf(run.population)) expect(member.networks).toEqual(state.elite?.networks);
    // A new run fills the caller's memory.
    const whole = await trained(dqn({ store, load_weights_from: "c_960", replay_buffer: memory }));
    expect(whole.reason).toBe("max_steps");
    expect(memory.size).toBe(400);
  });

  it("brings its own architecture, encoders that are shared or not included", async () => {
    for (const share_encoders of [true, false]) {
      const { store, agent } = await withElite(ppo({ algorithm: { share_encoders } }));
      const run = await trained(
        ppo({
          store,
          load_weights_from: PATH,
          algorithm: { share_encoders: !share_encoders },
          training: { max_steps: 128 },
        }),
      );
      for (const member of statesOf(run.population)) {
        expect(member.networks.critic?.data).toEqual(agent.networks.critic?.data);
        expect(member.hyperparameters.share_encoders).toBe(share_encoders);
      }
    }
  });

  it("of another algorithm, or for other spaces, is refused", async () => {
    const { store } = await withElite(ppo());
    for (const option of ["resume_from_checkpoint", "load_weights_from"] as const) {
      await expect(trained(dqn({ store, [option]: PATH }))).rejects.toThrow(
        "agent.safetensors: holds a PPO agent, and the run trains DQN; use a checkpoint of the same algorithm",
      );
      const environment = { name: "CartPole-v1", num_envs: 4 };
      await expect(trained(ppo({ store, environment, [option]: PATH }))).rejects.toThrow(
        /^agent\.safetensors: network actor does not fit the environment's observations or actions/,
      );
    }
  });
});

describe("a checkpoint that cannot be read", () => {
  const DIR = "c_960";

  async function saved(): Promise<FileStore> {
    const store = memoryFileStore();
    await trained(dqn({ store }), {
      checkpoint_steps: 480,
      checkpoint_path: "c",
      save_elite: true,
      elite_path: "e",
    });
    return store;
  }

  const resume = (store: FileStore, path = DIR) =>
    trained(dqn({ store, resume_from_checkpoint: path, training: { max_steps: 640 } }));

  /** The checkpoint with some of its files changed, committed anew. */
  async function altered(change: (files: Map<string, Uint8Array>) => void): Promise<FileStore> {
    const store = await saved();
    const { commit, files } = await readCheckpoint(store, DIR);
    await store.remove(DIR);
    change(files);
    await commitCheckpoint(store, DIR, files, commit);
    return store;
  }

  const runJson = (fields: object) =>
    altered((files) => files.set("run.json", withFields(files.get("run.json") as Uint8Array, fields)));

  it("is named, with what is wrong and what to do: truncated, changed, uncommitted, absent", async () => {
    const store = await saved();
    const member = await store.read(`${DIR}/member_1.safetensors`);
    await store.write(`${DIR}/member_1.safetensors`, member.subarray(0, 200));
    await expect(resume(store)).rejects.toThrow(
      /^c_960: member_1\.safetensors has 200 bytes, not \d+: the checkpoint is damaged; take an earlier one$/,
    );
    await store.write(
      `${DIR}/member_1.safetensors`,
      member.map((x, i) => (i === 500 ? x ^ 1 : x)),
    );
    await expect(resume(store)).rejects.toThrow(/member_1\.safetensors was changed since/);
    await store.remove(`${DIR}/COMMIT.json`);
    await expect(resume(store)).rejects.toThrow(/has no COMMIT\.json/);
    await expect(resume(store, "nowhere")).rejects.toThrow("nowhere: no checkpoint is there; check the path");
    await expect(resume(store, "nowhere.safetensors")).rejects.toThrow("no such file; check the path");
    const warm = (path: string) => trained(dqn({ store, load_weights_from: path }));
    await expect(warm(DIR)).rejects.toThrow(/has no COMMIT\.json/);
    await expect(warm("nowhere")).rejects.toThrow(
      "nowhere: is no checkpoint: it holds no agent; give a checkpoint directory or a .safetensors file",
    );
  });

  it("is refused when it is of another version or no run's", async () => {
    await expect(resume(await runJson({ version: 99, members: null, population: null }))).rejects.toThrow(
      "c_960/run.json: has format version 99, this build reads 1; use the build that wrote it",
    );
    await expect(resume(await runJson({ population: "two" }))).rejects.toThrow(
      /^c_960\/run\.json: is not a saved run: population /,
    );
    const text = await altered((files) => files.set("run.json", new TextEncoder().encode("{")));
    await expect(resume(text)).rejects.toThrow("c_960/run.json: is not JSON; use an older checkpoint");
    const lacking = await altered((files) => files.delete("member_1.safetensors"));
    await expect(resume(lacking)).rejects.toThrow(
      "c_960/member_1.safetensors: is missing from the checkpoint",
    );
  });

  it("is refused when its replay memory does not fit its rings", async () => {
    const ring = (position: number, count: number) => ({ position, count });
    for (const replay of [
      { segment: 200, rings: [ring(80, 200)] },
      { segment: 100, rings: [ring(80, 100), ring(80, 100)] },
      { segment: 200, rings: [ring(80, 300), ring(80, 200)] },
      { segment: 200, rings: [ring(-1, 200), ring(80, 200)] },
    ])
      await expect(resume(await runJson({ replay }))).rejects.toThrow(
        /^c_960\/(run\.json|replay_0\.safetensors): .*; use an older checkpoint$/,
      );
  });

  it("is an agent's file that is cut off", async () => {
    const store = await saved();
    const bytes = await store.read("e.safetensors");
    await store.write("e.safetensors", bytes.subarray(0, bytes.length - 10));
    await expect(resume(store, "e.safetensors")).rejects.toThrow(/^e\.safetensors: /);
  });
});
