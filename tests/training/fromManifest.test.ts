import { describe, expect, it } from "vitest";
import { manifestToJson, manifestToYaml, parseManifest, SpecError } from "../../src/manifests/index.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { Accelerator, LocalTrainer, type TrainerOptions } from "../../src/training/index.ts";
import { dqn, EVOLUTION, ppo, statesOf, trained } from "./support/tiny.ts";

const write = async (path: string, text: string) => {
  const store = memoryFileStore();
  await store.write(path, new TextEncoder().encode(text));
  return store;
};

const YAML = `
algorithm: {name: DQN, batch_size: 8, learn_step: 4}
environment: {name: CartPole-v1, num_envs: 4}
training:
  max_steps: 1_000
  evo_steps: 160
network: {latent_dim: 8, encoder_config: {hidden_size: [8]}, head_config: {hidden_size: [8]}}
replay_buffer: {max_size: 400}
`;

describe("LocalTrainer.fromManifest", () => {
  /** The sections of options, which are all data. */
  const asManifest = (options: TrainerOptions) => ({ ...options }) as Readonly<Record<string, unknown>>;
  const options = dqn(EVOLUTION);
  const manifest = parseManifest(asManifest(options));

  it("takes paths of YAML and JSON files, their text, objects and parsed manifests alike", async () => {
    const expected = new LocalTrainer(options).manifest;
    const yaml = await write("runs/a.yaml", manifestToYaml(manifest));
    const yml = await write("a.yml", manifestToYaml(manifest));
    const json = await write("a.JSON", manifestToJson(manifest));
    const trainers = [
      await LocalTrainer.fromManifest("runs/a.yaml", { store: yaml }),
      await LocalTrainer.fromManifest("a.yml", { store: yml }),
      await LocalTrainer.fromManifest("a.JSON", { store: json }),
      await LocalTrainer.fromManifest(manifestToYaml(manifest)),
      await LocalTrainer.fromManifest(manifestToJson(manifest)),
      await LocalTrainer.fromManifest(asManifest(options)),
      await LocalTrainer.fromManifest(manifest),
    ];
    for (const trainer of trainers) {
      expect(trainer).toBeInstanceOf(LocalTrainer);
      expect(trainer.manifest).toEqual(expected);
    }
    const bits = statesOf((await trained(options)).population);
    expect(statesOf((await trained(trainers[0] as LocalTrainer)).population)).toEqual(bits);
  });

  it("does the same for PPO", async () => {
    const object = asManifest(ppo(EVOLUTION));
    const bits = statesOf((await trained(ppo(EVOLUTION))).population);
    const text = manifestToYaml(parseManifest(object));
    expect(statesOf((await trained(await LocalTrainer.fromManifest(text))).population)).toEqual(bits);
  });

  it("makes a trainer of the class that it is called on", async () => {
    class OwnTrainer extends LocalTrainer {
      readonly own = true;
    }
    const trainer = await OwnTrainer.fromManifest(manifest);
    expect(trainer).toBeInstanceOf(OwnTrainer);
    expect(trainer.own).toBe(true);
  });

  it("says what is wrong with a manifest, and where", async () => {
    await expect(LocalTrainer.fromManifest("algorithm:\n  name: DQM\n")).rejects.toThrow(
      /algorithm\.name: unknown algorithm "DQM"; did you mean "DQN"\?.* \(line 2, column 9\)/,
    );
    await expect(LocalTrainer.fromManifest("algorithm: [")).rejects.toThrow(/not valid YAML/);
    await expect(LocalTrainer.fromManifest(YAML.replace("CartPole-v1", "CartPole-v3"))).rejects.toThrow(
      /environment\.name: unknown environment "CartPole-v3"; did you mean "CartPole-v1"\?/,
    );
    await expect(LocalTrainer.fromManifest({ algorithm: { name: "DQN" } })).rejects.toThrow(SpecError);
    await expect(LocalTrainer.fromManifest("nowhere.yaml", { store: memoryFileStore() })).rejects.toThrow(
      "nowhere.yaml: no such file; check the path",
    );
  });

  it("forwards options, which win over the manifest", async () => {
    const accelerator = new Accelerator();
    const trainer = await LocalTrainer.fromManifest(manifest, {
      device: "wasm",
      accelerator,
      seed: 5,
      mutation: null,
      selection_strategy: undefined,
    });
    expect(trainer.manifest.mutation).toBeNull();
    expect(trainer.manifest.selection_strategy).toMatchObject({ tournament_size: 2 });
    const expected = await trained(dqn({ ...EVOLUTION, mutation: null, seed: 5 }));
    expect(statesOf((await trained(trainer)).population)).toEqual(statesOf(expected.population));
    await expect(LocalTrainer.fromManifest(manifest, { device: "tpu" })).rejects.toThrow(
      /device: found "tpu"/,
    );
    await expect(LocalTrainer.fromManifest(manifest, { sed: 1 } as object)).rejects.toThrow(
      /^LocalTrainer: unknown option sed/,
    );
  });

  it("forwards checkpoints to go on from", async () => {
    const store = memoryFileStore();
    await trained(dqn({ ...EVOLUTION, store }), { checkpoint_steps: 480, checkpoint_path: "c" });
    const resumed = await LocalTrainer.fromManifest(manifest, { store, resume_from_checkpoint: "c_960" });
    expect((await trained(resumed)).state.generation).toBe(3);
    const warm = await LocalTrainer.fromManifest(manifest, { store, load_weights_from: "c_960" });
    expect((await trained(warm, { onRun: (run) => run.stop() })).state.generation).toBe(0);
    await expect(
      // @ts-expect-error -- The types exclude it too.
      LocalTrainer.fromManifest(manifest, { resume_from_checkpoint: "a", load_weights_from: "b" }),
    ).rejects.toThrow(/exclude each other/);
  });

  it("turns evolution on with hpo, in a population of 4 unless the manifest gives one", async () => {
    const sizes = async (text: string) => {
      const { training } = (await LocalTrainer.fromManifest(text, { hpo: true })).manifest;
      return [training.hpo, training.pop_size];
    };
    expect(await sizes(YAML)).toEqual([true, 4]);
    expect(await sizes(YAML.replace("evo_steps", "pop_size: 1\n  evo_steps"))).toEqual([true, 1]);
    expect(await sizes(YAML.replace("evo_steps", "population_size: 3\n  evo_steps"))).toEqual([true, 3]);
    const object = await LocalTrainer.fromManifest(asManifest(dqn({ training: { pop_size: 1 } })), {
      hpo: true,
    });
    expect(object.manifest.training.pop_size).toBe(1);
    const plain = await LocalTrainer.fromManifest(YAML);
    expect(plain.manifest.training).toMatchObject({ hpo: false, pop_size: 1, max_steps: 1000 });
  });

  it("keeps an empty mutation section empty: nothing mutates", async () => {
    const { manifest: parsed } = await LocalTrainer.fromManifest(`${YAML}mutation: {}\n`);
    expect(parsed.mutation?.probabilities).toMatchObject({ no_mut: 1, arch_mut: 0, rl_hp_mut: 0 });
  });

  it("honours the manifest's own checkpoint settings", async () => {
    const store = memoryFileStore();
    const own = "  checkpoint_steps: 500\n  checkpoint_path: mine\n  overwrite_checkpoints: true\n";
    const trainer = await LocalTrainer.fromManifest(YAML.replace("  evo_steps", `${own}  evo_steps`), {
      store,
    });
    await trained(trainer);
    expect((await store.list("")).map(({ name }) => name)).toEqual(["mine_1120"]);
  });
});
