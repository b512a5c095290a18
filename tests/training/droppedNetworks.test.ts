import { describe, expect, it } from "vitest";
import { SpecError } from "../../src/manifests/index.ts";
import { EvolvableMLP } from "../../src/rl/networks.ts";
import { type FileStore, memoryFileStore } from "../../src/storage/index.ts";
import { LocalTrainer, trainOffPolicy } from "../../src/training/index.ts";
import { offPolicy } from "./support/functions.ts";
import { refusal } from "./support/refusal.ts";
import { type Changes, dqn, NETWORK, ppo, td3, trained } from "./support/tiny.ts";

const PATH = "agent.safetensors";

/** A file of an agent with networks of eight. */
async function withFile(options: (changes?: Changes) => ReturnType<typeof dqn> = dqn): Promise<FileStore> {
  const store = memoryFileStore();
  await trained(options({ store, training: { pop_size: 1, max_steps: 1, evo_steps: 1 } }), {
    save_elite: true,
    elite_path: PATH,
  });
  return store;
}

const calm = { pop_size: 1, max_steps: 1, evo_steps: 1 };
const warm = async (changes: Changes, options: typeof dqn = dqn) =>
  (await trained(options({ load_weights_from: PATH, training: calm, ...changes }))).recorder.warnings.filter(
    (message) => message.includes("networks of"),
  );

const mlp = (num_outputs: number, num_inputs = 4) =>
  new EvolvableMLP({ num_inputs, num_outputs, hidden_size: [8], min_mlp_nodes: 4 });

describe.each(["load_weights_from", "resume_from_checkpoint"] as const)("modules beside %s", (source) => {
  it("are refused by name", () => {
    expect(refusal(dqn({ [source]: PATH, actor_network: mlp(2) }))).toThrow(
      `actor_network: found together with ${source}, whose file has the networks that agents continue with, so it would be ignored; leave one of them out`,
    );
    expect(refusal(ppo({ [source]: PATH, critic_network: mlp(1, 3) }))).toThrow(
      `critic_network: found together with ${source}`,
    );
    expect(refusal(td3({ [source]: PATH, critic_networks: [mlp(1), mlp(1)] }))).toThrow(
      `critic_networks: found together with ${source}`,
    );
  });
});

describe("a network section beside load_weights_from", () => {
  it("may be left out, or say what the file holds", async () => {
    const store = await withFile();
    expect(await warm({ store })).toEqual([]);
    expect(await warm({ store, network: null })).toEqual([]);
    expect(await warm({ store, network: { latent_dim: 8 } })).toEqual([]);
  });

  it("is refused at each setting that evolution does not change", async () => {
    const store = await withFile();
    const network = {
      latent_dim: 8,
      max_latent_dim: 99,
      encoder_config: { ...NETWORK.encoder_config, layer_norm: false },
      head_config: { hidden_size: [8], max_mlp_nodes: 77 },
    };
    const error = await warm({ store, network }).catch((e: unknown) => e);
    if (!(error instanceof SpecError)) throw new Error(`not refused: ${String(error)}`);
    expect(error.issues.map(({ path }) => path)).toEqual([
      "network.max_latent_dim",
      "network.encoder_config.layer_norm",
      "network.head_config.max_mlp_nodes",
    ]);
    expect(error.message).toContain(
      `network.max_latent_dim: found 99, but the networks of load_weights_from (${PATH}) have 128, which the run would start with; give the same settings, or leave network out`,
    );
  });

  it("is refused for another kind of encoder", async () => {
    const store = await withFile();
    const encoder_config = { hidden_size: 8, num_blocks: 1, min_mlp_nodes: 4 };
    const networks = [{ simba: true }, { arch: "simba", encoder_config, head_config: { hidden_size: [8] } }];
    for (const network of networks)
      await expect(warm({ store, network })).rejects.toThrow(
        /network\.encoder_config\.arch: found "simba", but the networks of .* have "mlp"/,
      );
  });

  it("is warned of for the sizes and activations that evolution changes", async () => {
    const store = await withFile();
    const network = { latent_dim: 16, encoder_config: { hidden_size: [12], activation: "ELU" } };
    const of = `the networks of load_weights_from (${PATH}) have`;
    expect(await warm({ store, network })).toEqual([
      `network.latent_dim: found 16, but ${of} 8; network.encoder_config.hidden_size: found [12], but ${of} [8]; network.encoder_config.activation: found "ELU", but ${of} "ReLU"; those networks are used`,
    ]);
  });

  it("is compared with the file's own module too, and with net_config", async () => {
    const store = memoryFileStore();
    const own = dqn({ store, actor_network: mlp(2), network: null, training: calm });
    await trained(own, { save_elite: true, elite_path: PATH });
    await expect(warm({ store })).rejects.toThrow(
      /network\.encoder_config: found a mapping, but the networks of .* have a custom module/,
    );
    const algorithm = { net_config: { ...NETWORK, max_latent_dim: 99 } };
    await expect(warm({ store: await withFile(), network: null, algorithm })).rejects.toThrow(
      /max_latent_dim: found 99/,
    );
  });

  it("of a manifest can be left out", async () => {
    const store = await withFile();
    const manifest = { ...dqn({ network: { max_latent_dim: 99 }, training: calm }) } as Record<
      string,
      unknown
    >;
    const options = { store, load_weights_from: PATH };
    const run = (trainer: LocalTrainer) => trained(trainer, { onRun: (it) => it.stop() });
    await expect(run(await LocalTrainer.fromManifest(manifest, options))).rejects.toThrow(/max_latent_dim/);
    await run(await LocalTrainer.fromManifest(manifest, { ...options, network: null }));
  });
});

describe("a network section beside resume_from_checkpoint", () => {
  it("is warned of where an agent's file has other networks", async () => {
    const store = await withFile();
    const options = { store, resume_from_checkpoint: PATH, training: { ...calm, max_steps: 20 } };
    const warnings = async (network: object) =>
      (await trained(dqn({ ...options, network }))).recorder.warnings.filter((w) =>
        w.includes("networks of"),
      );
    expect(await warnings(NETWORK)).toEqual([]);
    expect(await warnings({ latent_dim: 16 })).toEqual([
      `network.latent_dim: found 16, but the networks of resume_from_checkpoint (${PATH}) have 8; those networks are used`,
    ]);
  });

  it("is warned of where the checkpoint is of a run without a manifest", async () => {
    const store = memoryFileStore();
    await trainOffPolicy(offPolicy({ store, max_steps: 160, checkpoint: 160, checkpoint_path: "c" }));
    const run = await trained(
      dqn({ store, resume_from_checkpoint: "c_320", network: { ...NETWORK, latent_dim: 16 } }),
      { onRun: (it) => it.stop() },
    );
    expect(run.recorder.warnings).toContain(
      "network.latent_dim: found 16, but the networks of resume_from_checkpoint (c_320) have 8; those networks are used",
    );
  });
});
