/** RemoteTrainer: every option, its default, and invalid values. */
// @own-process: warnings are given once in a process.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { make } from "../../src/agents/index.ts";
import { Mutations, TournamentSelection } from "../../src/evolution/index.ts";
import {
  MutationSpec,
  NO_MUTATION,
  parseManifest,
  SpecError,
  TournamentSelectionSpec,
  TrainingSpec,
} from "../../src/manifests/index.ts";
import {
  RemoteAuthError,
  RemoteClient,
  RemoteConfigError,
  RemoteTrainer,
  type RemoteTrainerOptions,
} from "../../src/remote/index.ts";
import { Trainer } from "../../src/training/index.ts";
import { KEY, withPlatform } from "./platform.ts";

const OPTIONS = { algorithm: "DQN", environment: "CartPole-v1" } as const;
const { name: _, ...NAMELESS } = TournamentSelectionSpec.parse({});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe("a trainer", () => {
  it("has the defaults of the interface", () => {
    const trainer = new RemoteTrainer(OPTIONS);
    expect(trainer).toBeInstanceOf(Trainer);
    const { manifest, payload } = trainer;
    expect(manifest.algorithm.name).toBe("DQN");
    expect(manifest.environment.name).toBe("CartPole-v1");
    expect(manifest.training).toMatchObject({ ...TrainingSpec.parse({}), evo_steps: 10_000 });
    expect(manifest.training).toMatchObject({ max_steps: 1_000_000, pop_size: 1, hpo: false });
    expect(manifest).toMatchObject({ mutation: null, selection_strategy: null, network: null });
    expect(payload.mutation).toMatchObject({
      probabilities: NO_MUTATION,
      rl_hp_selection: {},
      mutation_sd: 0.1,
    });
    expect(payload.tournament_selection).toEqual(NAMELESS);
    expect(payload).not.toHaveProperty("network");
    expect(payload).not.toHaveProperty("replay_buffer");
  });

  it("takes null for what is not given", () => {
    const nulls = {
      training: null,
      client: null,
      api_key: null,
      mutation: null,
      selection_strategy: null,
      replay_buffer: null,
      network: null,
    };
    expect(new RemoteTrainer({ ...OPTIONS, ...nulls }).payload).toEqual(new RemoteTrainer(OPTIONS).payload);
  });

  it("sends the sections that it is given, the environment's whole", () => {
    const { payload } = new RemoteTrainer({
      algorithm: { name: "PPO", lr: 0.001 },
      environment: {
        name: "Maze-v0",
        num_envs: 4,
        version: "v2",
        custom: true,
        entrypoint: "maze:Maze",
        env_config: { size: 5 },
        env_wrappers: ["flat"],
      },
      training: { pop_size: 2, max_steps: 600, evo_steps: 200 },
      mutation: { probabilities: { no_mut: 0.5 }, rand_seed: 7 },
      selection_strategy: { tournament_size: 3, elitism: false },
      network: { latent_dim: 8 },
    });
    expect(payload).toMatchObject({
      algorithm: { name: "PPO", lr: 0.001 },
      environment: {
        name: "Maze-v0",
        num_envs: 4,
        version: "v2",
        custom: true,
        entrypoint: "maze:Maze",
        env_config: { size: 5 },
        env_wrappers: ["flat"],
      },
      training: { pop_size: 2, max_steps: 600, evo_steps: 200 },
      mutation: { probabilities: { no_mut: 0.5, arch_mut: 0.2 }, rand_seed: 7 },
      tournament_selection: { tournament_size: 3, elitism: false },
      network: { latent_dim: 8 },
    });
    const buffered = new RemoteTrainer({ ...OPTIONS, replay_buffer: { max_size: 50 } });
    expect(buffered.payload.replay_buffer).toMatchObject({ kind: "classic", max_size: 50 });
  });

  it("takes an empty mutation spec for the default mutation", () => {
    const { mutation } = new RemoteTrainer({ ...OPTIONS, mutation: {} }).payload;
    expect(mutation).toMatchObject({ probabilities: MutationSpec.parse({}).probabilities });
  });

  it("takes language models, with their buffer", () => {
    const { payload } = new RemoteTrainer({
      algorithm: { name: "GRPO", group_size: 4, pretrained_model_name_or_path: "next-digit" },
      environment: { env_type: "rollout", entrypoint: "digits:NextDigit", max_turns: 1 },
      replay_buffer: { kind: "llm", max_size: 20 },
    });
    expect(payload).toMatchObject({
      algorithm: { name: "GRPO", group_size: 4 },
      environment: { env_type: "rollout", entrypoint: "digits:NextDigit", max_turns: 1 },
      replay_buffer: { kind: "llm", max_size: 20 },
    });
  });

  it("warns once of the deprecated name of selection_strategy", () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const tournament = { tournament_size: 4 };
    const selected = { ...NAMELESS, tournament_size: 4 };
    for (let i = 0; i < 2; i++)
      expect(new RemoteTrainer({ ...OPTIONS, tournament }).payload.tournament_selection).toEqual(selected);
    expect(warned.mock.calls).toEqual([["rlkit: tournament is deprecated: use selection_strategy"]]);
    // Both names at once, which the types forbid.
    const both = (selection_strategy: object) =>
      new RemoteTrainer({ ...OPTIONS, tournament, selection_strategy } as object as RemoteTrainerOptions);
    expect(both({ tournament_size: 4 }).manifest.selection_strategy?.name).toBeNull();
    expect(() => both({ tournament_size: 5 })).toThrow("tournament and selection_strategy are both given");
  });
});

describe("what is refused", () => {
  const refused = (options: object): unknown => {
    try {
      // Wrong types on purpose.
      new RemoteTrainer({ ...OPTIONS, ...options } as RemoteTrainerOptions);
    } catch (error) {
      return error;
    }
    return null;
  };

  it.each([
    ["multi-frequency selection", { selection_strategy: { strategy: "multi_frequency" } }],
    ["the same under the deprecated name", { tournament: { strategy: "multi_frequency" } }],
  ])("%s", (_, options) => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const error = refused(options);
    expect(error).toBeInstanceOf(SpecError);
    expect((error as SpecError).issues.map(({ path: place }) => place)).toEqual(["selection_strategy"]);
    expect(String(error)).toContain("MF-PBT");
  });

  it.each([
    ["algorithm", 5],
    ["algorithm", ["DQN"]],
    ["environment", () => undefined],
    ["environment", { reset: () => undefined, step: () => undefined }],
    ["training", 1000],
    ["client", { api_key: "x" }],
    ["mutation", Mutations.fromSpec(MutationSpec.parse({}), { rand_seed: 1 })],
    [
      "selection_strategy",
      new TournamentSelection({ tournament_size: 2, elitism: true, population_size: 2 }),
    ],
    ["selection_strategy", { select: () => undefined }],
    ["replay_buffer", new (class Buffer {})()],
    ["network", "mlp"],
    ["api_key", 5],
  ])("%s: %o", (name, value) => {
    const error = refused({ [name]: value });
    expect(error).toBeInstanceOf(typeof value === "number" && name !== "api_key" ? RangeError : TypeError);
    expect(String(error)).toContain(`${name}: found`);
  });

  it("a live environment, which cannot travel", () => {
    const error = refused({ environment: make("CartPole-v1") });
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain("environment: found");
    expect(String(error)).toContain("live objects cannot be sent");
  });

  it.each([
    ["device", ""],
    ["accelerator", ""],
    ["hpo", ""],
    ["hp_config", ""],
    ["actor_network", ""],
    ["resume_from_checkpoint", ""],
    ["load_weights_from", ""],
    ["apikey", 'did you mean "api_key"?'],
    ["enviroment", 'did you mean "environment"?'],
  ])("the option %s", (name, advice) => {
    const error = refused({ [name]: "x" });
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(`unknown option ${name}`);
    expect(String(error)).toContain(advice);
  });

  it.each([
    [{ algorithm: { lr: 0.1 } }, "algorithm.name: missing"],
    [{ algorithm: undefined }, "algorithm: missing"],
    [{ algorithm: { name: "DQN", lr: -1 } }, "algorithm.lr"],
    [{ algorithm: "DQNN" }, 'did you mean "DQN"'],
    [{ environment: undefined }, "environment: missing"],
    [{ environment: { name: "CartPole-v1", num_env: 3 } }, "environment.num_env"],
    [{ training: { max_steps: 0 } }, "training.max_steps"],
    [{ selection_strategy: { tournament_size: 0 } }, "selection_strategy.tournament_size"],
  ])("%j", (options, message) => {
    const error = refused(options);
    expect(error).toBeInstanceOf(SpecError);
    expect(String(error)).toContain(message);
  });

  it("arguments behind the options", () => {
    // Positional arguments, as in AgileRL.
    const Positional = RemoteTrainer as unknown as new (...given: unknown[]) => RemoteTrainer;
    expect(() => new Positional("DQN", "CartPole-v1")).toThrow("allowed one object of options");
  });
});

describe("the key", () => {
  it("makes a client where none is given", async () => {
    await withPlatform(async (platform) => {
      vi.stubEnv("RLKIT_BASE_URL", platform.base_url);
      platform.answer(() => ({ data: [] }));
      const trainer = new RemoteTrainer({ ...OPTIONS, api_key: KEY });
      expect(await trainer.listExperiments("poles")).toEqual([]);
      vi.stubEnv("RLKIT_API_KEY", KEY);
      expect(await new RemoteTrainer(OPTIONS).listExperiments("poles")).toEqual([]);
      await expect(trainer.listExperiments()).rejects.toThrow(RemoteConfigError);
    });
  });

  it("is missed before anything is sent", async () => {
    await withPlatform(async (platform) => {
      vi.stubEnv("RLKIT_BASE_URL", platform.base_url);
      vi.stubEnv("RLKIT_API_KEY", "");
      await expect(new RemoteTrainer(OPTIONS).train()).rejects.toThrow(RemoteAuthError);
      expect(platform.asked).toEqual([]);
    });
  });
});

describe("jobs that were submitted", () => {
  it("go on, and are listed with their checkpoints", async () => {
    await withPlatform(async (platform) => {
      const client = new RemoteClient({ api_key: KEY, base_url: platform.base_url, project: "poles" });
      const trainer = new RemoteTrainer({ ...OPTIONS, client });
      platform.answer(({ route }) => ({ data: route.startsWith("POST") ? { experiment_id: "e1" } : [] }));
      expect(await trainer.resumeFromCheckpoint("poles-1", 5000)).toEqual({ experiment_id: "e1" });
      expect(await trainer.listExperiments()).toEqual([]);
      expect(await trainer.listCheckpoints("poles-1")).toEqual([]);
      expect(platform.asked.map(({ route, json }) => [route.split("/").at(-1), json])).toEqual([
        ["resume", { experiment_name: "poles-1", max_steps: 5000 }],
        ["list", null],
        ["checkpoints", null],
      ]);
    });
  });
});

describe("RemoteTrainer.fromManifest", () => {
  const YAML = "algorithm: {name: DQN}\nenvironment: {name: Maze-v0, num_envs: 4}\nmutation: {}\n";
  const client = new RemoteClient({ api_key: KEY });

  it("takes paths, addresses, text, objects and parsed manifests alike", async () => {
    const directory = mkdtempSync(path.join(tmpdir(), "rlkit-remote-"));
    try {
      const file = path.join(directory, "m.yaml");
      writeFileSync(file, YAML);
      const parsed = parseManifest(YAML);
      const object = {
        algorithm: { name: "DQN" },
        environment: { name: "Maze-v0", num_envs: 4 },
        mutation: {},
      };
      for (const source of [file, pathToFileURL(file), YAML, JSON.stringify(object), object, parsed]) {
        const trainer = await RemoteTrainer.fromManifest(source, { client });
        expect(trainer.manifest).toEqual(parsed);
        expect(trainer.client).toBe(client);
      }
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it("keeps an empty mutation section as one in which nothing mutates", async () => {
    const { payload } = await RemoteTrainer.fromManifest(YAML, { client });
    expect(payload.mutation).toMatchObject({ probabilities: NO_MUTATION });
  });

  it("makes a trainer of the class that it is called on", async () => {
    class Own extends RemoteTrainer {}
    expect(await Own.fromManifest(YAML, { api_key: KEY })).toBeInstanceOf(Own);
  });

  it("refuses multi-frequency selection, other options and what is not right", async () => {
    const selection = `${YAML}training: {pop_size: 8}\ntournament_selection: {strategy: multi_frequency}\n`;
    await expect(RemoteTrainer.fromManifest(selection)).rejects.toThrow(
      'selection_strategy: found "multi_frequency"',
    );
    // @ts-expect-error -- AgileRL drops it silently.
    const other = RemoteTrainer.fromManifest(YAML, { device: "cpu" });
    await expect(other).rejects.toThrow("RemoteTrainer.fromManifest: unknown option device");
    await expect(RemoteTrainer.fromManifest("algorithm: {name: DQN}\n")).rejects.toThrow(SpecError);
    await expect(RemoteTrainer.fromManifest("missing.yaml")).rejects.toThrow("no such file");
  });
});
