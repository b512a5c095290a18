import { describe, expect, it } from "vitest";
import { EvolvableMLP } from "../../src/rl/networks.ts";
import { LocalTrainer, type TrainerOptions } from "../../src/training/index.ts";

const SPEAKER = "simple_speaker_listener_v4";
const mlp = (num_inputs: number, num_outputs: number) =>
  new EvolvableMLP({ num_inputs, num_outputs, hidden_size: [8], min_mlp_nodes: 4, random_seed: 3 });

const run = (options: Partial<TrainerOptions> & { algorithm: TrainerOptions["algorithm"] }): TrainerOptions =>
  ({
    environment: { name: SPEAKER, num_envs: 2 },
    training: { max_steps: 200, evo_steps: 100, pop_size: 2 },
    replay_buffer: { max_size: 1000 },
    seed: 1,
    ...options,
  }) as TrainerOptions;

const maddpg = { name: "MADDPG", batch_size: 16, learn_step: 8 } as const;
const actors = () => ({ speaker_0: mlp(3, 3), listener_0: mlp(11, 5) });

describe("networks of the caller's own by agent", () => {
  it("act and learn in place of those from the section", async () => {
    const actor_networks = actors();
    const critic_networks = { speaker_0: mlp(14 + 8, 1) };
    const trainer = new LocalTrainer(run({ algorithm: maddpg, actor_networks, critic_networks }));
    const [population] = await trainer.train({ verbose: false });
    for (const { state } of population) {
      expect(state.networks["actors.speaker_0"]?.data.encoder).toBeNull();
      expect(state.networks["actor_targets.listener_0"]?.data.head).toMatchObject({ inputs: 11, outputs: 5 });
      expect(state.networks["critics.speaker_0"]?.data.encoder).toBeNull();
      expect(state.networks["critics.listener_0"]?.data.encoder).not.toBeNull();
      const weights = state.networks["actors.speaker_0"]?.tensors ?? {};
      const given = Object.values(actor_networks.speaker_0.parameters())[0] as Float32Array;
      expect(Object.values(weights)[0]).not.toEqual(given);
      expect(Object.values(weights).every((values) => values.every(Number.isFinite))).toBe(true);
    }
  });

  it("are two for each critic of MATD3, and read an agent's own observation in IPPO", () => {
    const pair = { listener_0: [mlp(22, 1), mlp(22, 1)] };
    const matd3 = { ...maddpg, name: "MATD3" } as const;
    expect(() => new LocalTrainer(run({ algorithm: matd3, critic_networks: pair }))).not.toThrow();
    expect(
      () => new LocalTrainer(run({ algorithm: matd3, critic_networks: { listener_0: mlp(22, 1) } })),
    ).toThrow(
      "critic_networks.listener_0: found 1 modules, allowed 2 (critics_1.listener_0, critics_2.listener_0)",
    );
    const ippo = { name: "IPPO", learn_step: 64 } as const;
    const own = { critic_networks: { listener_0: mlp(11, 1) }, replay_buffer: null };
    expect(() => new LocalTrainer(run({ algorithm: ippo, ...own }))).not.toThrow();
  });

  it.each<[string, Partial<TrainerOptions>, RegExp]>([
    [
      "a key that there is not",
      { actor_networks: { speaker: mlp(3, 3) } },
      /^actor_networks\.speaker: found no such key, allowed speaker_0, listener_0$/,
    ],
    [
      "other inputs",
      { actor_networks: { speaker_0: mlp(4, 3) } },
      /^actor_networks\.speaker_0: .*found 4 inputs/,
    ],
    [
      "a network of one agent",
      { actor_network: mlp(3, 3) },
      /^actor_network: found a network of one agent, and MADDPG/,
    ],
  ])("are refused by name: %s", (_, given, message) => {
    expect(() => new LocalTrainer(run({ algorithm: maddpg, ...given }))).toThrow(message);
  });

  it("are refused beside a checkpoint, whose networks would take their place", () => {
    const options = run({
      algorithm: maddpg,
      actor_networks: actors(),
      load_weights_from: "agent.safetensors",
    });
    expect(() => new LocalTrainer(options)).toThrow(/^actor_networks: found together with load_weights_from/);
  });

  it("are refused where an algorithm has one agent", () => {
    const options = run({ algorithm: { name: "DQN" }, environment: "CartPole-v1", actor_networks: actors() });
    expect(() => new LocalTrainer(options)).toThrow(
      /^actor_networks: found networks by agent, and DQN trains one/,
    );
  });
});
