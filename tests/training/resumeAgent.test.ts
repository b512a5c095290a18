import { describe, expect, it } from "vitest";
import { ReplayBuffer } from "../../src/agents/classes.ts";
import type { AgentState } from "../../src/agents/members.ts";
import { type FileStore, memoryFileStore } from "../../src/storage/index.ts";
import { decodeAgent, type TrainerOptions } from "../../src/training/index.ts";
import { dqn, EVOLUTION, ppo, rainbow, recurrentPpo, statesOf, trained } from "./support/tiny.ts";

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
      "the checkpoint's hyperparameters override the spec's: lr 0.001",
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

  it("gives no weights to agents with memory where it has none, nor the reverse", async () => {
    const kinds = [ppo, recurrentPpo] as const;
    for (const [i, from] of kinds.entries()) {
      const { store } = await withElite(from());
      const to = kinds[1 - i] as typeof ppo;
      await expect(trained(to({ store, load_weights_from: PATH }))).rejects.toThrow(
        `agent.safetensors: holds weights of an agent with recurrent: ${i === 1}, but algorithm.recurrent is ${i === 0}; set it to ${i === 1}`,
      );
    }
  });

  it("gives no weights to agents that know other returns", async () => {
    const { store } = await withElite(rainbow());
    for (const [name, own, found] of [
      ["num_atoms", 11, 7],
      ["v_min", -5, 0],
      ["v_max", 30, 20],
    ] as const) {
      const run = trained(rainbow({ store, load_weights_from: PATH, algorithm: { [name]: own } }));
      await expect(run).rejects.toThrow(
        `agent.safetensors: holds weights of an agent with ${name}: ${found}, but algorithm.${name} is ${own}; set it to ${found}, or use a checkpoint that has ${own}`,
      );
    }
  });

  it("of another algorithm, or for other spaces, is refused", async () => {
    const { store } = await withElite(ppo());
    for (const option of ["resume_from_checkpoint", "load_weights_from"] as const) {
      await expect(trained(dqn({ store, [option]: PATH }))).rejects.toThrow(
        "agent.safetensors: holds a PPO agent, but the run trains DQN; use a checkpoint of the same algorithm",
      );
      const environment = { name: "CartPole-v1", num_envs: 4 };
      await expect(trained(ppo({ store, environment, [option]: PATH }))).rejects.toThrow(
        /^agent\.safetensors: network actor does not fit the environment's observations or actions/,
      );
    }
  });
});
