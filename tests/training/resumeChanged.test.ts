import { describe, expect, it } from "vitest";
import { ReplayBuffer } from "../../src/agents/classes.ts";
import { type FileStore, memoryFileStore } from "../../src/storage/index.ts";
import { type TrainerOptions } from "../../src/training/index.ts";
import { LevelEnvironment } from "./support/levelEnvironment.ts";
import { dqn, EVOLUTION, endOf, NETWORK, ppo, rainbow, type Trained, trained } from "./support/tiny.ts";

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
        `resume_from_checkpoint has 2 members, but training.pop_size is ${pop_size}; the checkpoint's population is used`,
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
    expect(said).toContain("the checkpoint's hyperparameters override the spec's: gamma 0.99, lr 0.001");
    expect(said).toContain(
      "has a replay buffer of 200 transitions for each member, but replay_buffer.max_size is",
    );
  });

  it("keeps the checkpoint's networks, and says so", async () => {
    const store = memoryFileStore();
    await finished(dqn(), store);
    const network = { ...NETWORK, latent_dim: 16, encoder_config: { hidden_size: [16, 16] } };
    const training = { max_steps: 640 };
    const run = await trained(dqn({ store, resume_from_checkpoint, network, training }));
    const said = run.recorder.warnings.find((text) => text.startsWith("resume_from_checkpoint"));
    expect(said).toContain("was trained with other networks: network.latent_dim was 8, is 16; ");
    expect(said).toContain("network.encoder_config.hidden_size was [8], is [16,16]; ");
    expect(said).toMatch(/; the checkpoint's networks are used$/);
    expect(run.state.members[0]?.networks.actor?.data.head.inputs).toBe(8);
    const same = await trained(dqn({ store, resume_from_checkpoint, training }));
    expect(same.recorder.warnings.join("\n")).not.toContain("resume_from_checkpoint");
  });

  it("keeps the checkpoint's distribution of returns, and says so", async () => {
    const store = memoryFileStore();
    await finished(rainbow(), store);
    const algorithm = { num_atoms: 11, v_max: 30 };
    const run = await trained(
      rainbow({ store, resume_from_checkpoint, algorithm, training: { max_steps: 640 } }),
    );
    expect(run.population[0]?.hyperparameters).toMatchObject({ num_atoms: 7, v_max: 20 });
    expect(run.recorder.warnings.join("\n")).toContain(
      "the checkpoint's hyperparameters override the spec's: num_atoms 7, v_max 20",
    );
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
      'resume_from_checkpoint was trained in "Level-v0", but environment.name is "Level-v1"',
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
    ).rejects.toThrow(
      /^memory: each of 2 members has room for 8 transitions, but one step of 12 environments adds 12; give a max_size of at least 24/,
    );
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
    expect(endOf(run)).toEqual(endOf(expected));
    expect(memory.rings).toEqual(expected.state.replay?.rings);
    expect(memory.segments).toEqual(expected.state.replay?.segments);

    const other = new ReplayBuffer({ max_size: 500 });
    await expect(trained(dqn({ ...options, replay_buffer: other }))).rejects.toThrow(
      "replay_buffer: found a buffer of 500 transitions, but the checkpoint's holds 200 for each of 2 members; give one of max_size 400",
    );
  });
});
