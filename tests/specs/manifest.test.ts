// @apart: it registers what the library does not have.
import { describe, expect, it } from "vitest";
import {
  checkManifest,
  manifestWarnings,
  NO_MUTATION,
  parseManifest,
  parseManifestObject,
  validateManifest,
} from "../../src/manifests/index.ts";
import { manifestIssues, manifestWith, sectionIssue, specErrorOf } from "./issues.ts";
import { LATER, registerLater } from "./laterAlgorithm.ts";

const parsed = (parts: Record<string, unknown> = {}) => parseManifest(manifestWith(parts));
const ppo = { name: "PPO" };

describe("a minimal manifest", () => {
  it("has all defaults, and leaves optional sections absent", () => {
    const manifest = parsed();
    expect(manifest.apiVersion).toBe("agilerl.com/v1");
    expect(manifest.environment).toMatchObject({ env_type: "gym", num_envs: 32 });
    expect(manifest.training).toMatchObject({ max_steps: 1_000_000, evo_steps: 10_000, hpo: false });
    expect(manifest).toMatchObject({
      network: null,
      mutation: null,
      replay_buffer: null,
      selection_strategy: null,
    });
  });

  it("needs an algorithm and an environment", () => {
    expect(manifestIssues({}).map((issue) => issue.path)).toEqual(["algorithm", "environment"]);
  });

  it("is not changed by parsing, and neither is a parsed one", () => {
    const input = manifestWith({ algorithm: ppo, network: { arch: "mlp" }, mutation: { network: {} } });
    const before = structuredClone(input);
    validateManifest(input);
    expect(input).toEqual(before);
    const manifest = parsed({ algorithm: ppo });
    expect(parseManifest(manifest)).toEqual(manifest);
  });
});

describe("versions", () => {
  it.each(["apiVersion", "api_version"])("are read from %s", (key) => {
    expect(parsed({ [key]: "rlkit/v1" }).apiVersion).toBe("rlkit/v1");
    expect(parsed({ [key]: "agilerl.com/v1" }).apiVersion).toBe("agilerl.com/v1");
  });

  it("that are unknown are refused", () => {
    expect(sectionIssue({ apiVersion: "agilerl.com/v2" })).toMatchObject({
      path: "apiVersion",
      code: "value",
    });
  });
});

describe("resolution between sections", () => {
  it("lets evo_steps follow the algorithm's cadence and max_steps", () => {
    expect(parsed({ training: { max_steps: 500 } }).training.evo_steps).toBe(500);
    expect(parsed({ training: { max_steps: 50_000 } }).training.evo_steps).toBe(10_000);
    expect(parsed({ training: { evo_steps: 7 } }).training.evo_steps).toBe(7);
    expect(parsed({ training: { num_epochs: 2, evo_epochs: 1 } }).training.evo_steps).toBeNull();
  });

  it("gives PPO the environment's number of environments, from whichever section says it", () => {
    const cart = { name: "CartPole-v1" };
    const both = (environment: object, algorithm: object = ppo) => {
      const manifest = parsed({ algorithm, environment });
      return [
        manifest.environment.num_envs,
        manifest.algorithm.name === "PPO" && manifest.algorithm.num_envs,
      ];
    };
    expect(both({ ...cart, num_envs: 16 })).toEqual([16, 16]);
    expect(both(cart)).toEqual([32, 32]);
    expect(both(cart, { ...ppo, num_envs: 8 })).toEqual([8, 8]);
    expect(both({ ...cart, num_envs: 8 }, { ...ppo, num_envs: 8 })).toEqual([8, 8]);
    const unequal = manifestIssues({
      algorithm: { ...ppo, num_envs: 8 },
      environment: { ...cart, num_envs: 16 },
    });
    expect(unequal).toMatchObject([{ path: "algorithm.num_envs", code: "rule" }]);
  });

  it("takes an empty mutation section for no mutation, a missing one for none", () => {
    expect(parsed({ mutation: {} }).mutation?.probabilities).toEqual(NO_MUTATION);
    expect(parsed({ mutation: { mutation_sd: 0.2 } }).mutation?.probabilities.no_mut).toBe(0.4);
    expect(parsed({ mutation: null }).mutation).toBeNull();
  });

  it("folds mutation's network bounds into the network, whose own win", () => {
    const manifest = parsed({
      network: { max_latent_dim: 96, encoder_config: { max_mlp_nodes: 100 }, latent_dim: 32 },
      mutation: {
        network: {
          min_latent_dim: 16,
          max_latent_dim: 64,
          encoder: { max_mlp_nodes: 50, min_mlp_nodes: 20 },
          head_net: { max_hidden_layers: 2 },
        },
      },
    });
    expect(manifest.network).toMatchObject({
      min_latent_dim: 16,
      max_latent_dim: 96,
      encoder_config: { max_mlp_nodes: 100, min_mlp_nodes: 20 },
      head_config: { max_hidden_layers: 2 },
    });
    expect(manifest.mutation?.network).toBeNull();
    expect(manifest.mutation?.probabilities.no_mut).toBe(0.4);
  });

  it("keeps mutation's network bounds where there is no network section", () => {
    const manifest = parsed({ mutation: { network: { max_latent_dim: 64 } } });
    expect(manifest.network).toBeNull();
    expect(manifest.mutation?.network?.max_latent_dim).toBe(64);
  });

  it("names a wrong key in mutation.network where it stands", () => {
    const issue = sectionIssue({ network: {}, mutation: { network: { encodr: {} } } });
    expect(issue).toMatchObject({ path: "mutation.network.encodr", suggestion: "encoder" });
  });

  it("makes the algorithm's own network the section", () => {
    const manifest = parsed({ algorithm: { name: "DQN", net_config: { latent_dim: 32 } } });
    expect(manifest.network).toMatchObject({ latent_dim: 32 });
    expect(manifest.algorithm).toMatchObject({ net_config: null });
    const twice = { algorithm: { name: "DQN", net_config: {} }, network: {} };
    expect(sectionIssue(twice)).toMatchObject({ path: "algorithm.net_config", code: "rule" });
  });

  it("fills in the brackets of multi-frequency selection", () => {
    const selection_strategy = { strategy: "multi_frequency" };
    const manifest = parsed({ selection_strategy, training: { pop_size: 8 } });
    expect(manifest.selection_strategy).toMatchObject({
      n_winners: 1,
      n_losers: 2,
      evolution_frequency_ratios: [1, 5],
    });
    expect(sectionIssue({ selection_strategy }).path).toBe("training.pop_size");
    const crowded = { selection_strategy: { ...selection_strategy, n_losers: 4 }, training: { pop_size: 8 } };
    expect(sectionIssue(crowded).path).toBe("selection_strategy.n_losers");
  });

  it("reads tournament_selection as selection_strategy, but not both", () => {
    expect(parsed({ tournament_selection: { tournament_size: 3 } }).selection_strategy).toMatchObject({
      strategy: "tournament",
      tournament_size: 3,
    });
    expect(sectionIssue({ tournament_selection: { tournament_size: 0 } }).path).toBe(
      "tournament_selection.tournament_size",
    );
    expect(sectionIssue({ tournament_selection: {}, selection_strategy: {} }).path).toBe(
      "tournament_selection",
    );
  });
});

const head_config = { hidden_size: [64] };
const mlp = { arch: "mlp", encoder_config: { hidden_size: [64] }, head_config };
const lstm = { arch: "lstm", encoder_config: { hidden_state_size: 64 }, head_config };
const model = { pretrained_model_name_or_path: "a/b", max_context_length: 64 };
const simba = { arch: "simba", encoder_config: { hidden_size: 64, num_blocks: 1 }, head_config };

describe("checks between sections", () => {
  const searching = (rl_hp_selection: object, algorithm: object = { name: "DQN" }) =>
    sectionIssue({ algorithm, mutation: { rl_hp_selection } });

  it("accept the algorithm's numbers as hyperparameters", () => {
    const rl_hp_selection = { lr: { min: 1e-4, max: 1e-2 }, tau: { min: 1e-4, max: 1e-2 } };
    expect(parsed({ mutation: { rl_hp_selection } }).mutation?.rl_hp_selection).toHaveProperty("tau");
  });

  it("refuse what is no field, with the nearest one", () => {
    const issue = searching({ learning_step: { min: 1, max: 2 } });
    expect(issue).toMatchObject({
      path: "mutation.rl_hp_selection.learning_step",
      code: "unknown_key",
      suggestion: "learn_step",
    });
    expect(issue.message).toContain("allowed: batch_size, learn_step, gamma, lr, tau");
  });

  it("refuse fields that are no numbers, that are unset or that must not mutate", () => {
    expect(searching({ double: { min: 0, max: 1 } }).path).toBe("mutation.rl_hp_selection.double");
    expect(searching({ num_envs: { min: 1, max: 8 } }, ppo).message).toContain("cannot mutate");
    expect(searching({ target_kl: { min: 0, max: 1 } }, ppo).message).toContain("unset");
    const given = {
      algorithm: { ...ppo, target_kl: 0.1 },
      mutation: { rl_hp_selection: { target_kl: { min: 0, max: 1 } } },
    };
    expect(parsed(given).mutation?.rl_hp_selection).toHaveProperty("target_kl");
  });

  it("keep a range inside the field's own bounds", () => {
    expect(searching({ batch_size: { min: 0, max: 8 } })).toMatchObject({
      path: "mutation.rl_hp_selection.batch_size.min",
      code: "range",
    });
    expect(searching({ gamma: { min: 0.9, max: 1.2 } }).path).toBe("mutation.rl_hp_selection.gamma.max");
  });

  it.each([
    [{ environment: { name: "X", env_type: "offline" } }, "environment.env_type"],
    [{ network: { squash_output: true } }, "network.squash_output"],
    [{ replay_buffer: { kind: "llm" } }, "replay_buffer.kind"],
    [{ replay_buffer: { per_buffer: true } }, "replay_buffer.per_buffer"],
    [{ algorithm: { name: "TD3" }, replay_buffer: { per_buffer: true } }, "replay_buffer.per_buffer"],
    [
      { algorithm: { name: "RainbowDQN", n_step: 5 }, replay_buffer: { n_step_buffer: true } },
      "algorithm.n_step",
    ],
    [
      { algorithm: { name: "TD3", vect_noise_dim: 2 }, environment: { name: "X", num_envs: 4 } },
      "algorithm.vect_noise_dim",
    ],
    [{ training: { max_steps: 10, evo_steps: 20 } }, "training.evo_steps"],
    [{ algorithm: { name: "Recurrent PPO", recurrent: false } }, "algorithm.recurrent"],
    [{ algorithm: { name: "RecurrentPPO" }, network: { simba: true } }, "network.simba"],
    [{ algorithm: { name: "RecurrentPPO" }, network: simba }, "network.simba"],
    [{ algorithm: { name: "RecurrentPPO" }, network: mlp }, "network.encoder_config.arch"],
    [{ network: lstm }, "network.encoder_config.arch"],
    [{ network: model }, "network.pretrained_model_name_or_path"],
  ])("refuse %o at %s", (parts, path) => {
    expect(sectionIssue(parts).path).toBe(path);
  });

  it("let the n-step buffer say how many steps Rainbow's returns have", () => {
    const buffer = (args: object) => ({ per_buffer: true, n_step_buffer: true, ...args });
    const steps = (replay_buffer: object, n_step?: number) => {
      const { algorithm } = parsed({ algorithm: { name: "RainbowDQN", n_step }, replay_buffer });
      return algorithm.name === "RainbowDQN" ? algorithm.n_step : null;
    };
    expect(steps(buffer({ n_step_buffer_args: { n_step: 4 } }))).toBe(4);
    expect(steps(buffer({}))).toBe(3);
    expect(steps(buffer({ n_step_buffer_args: { n_step: 4 } }), 4)).toBe(4);
    expect(steps({}, 7)).toBe(7);
  });

  it("give every lane noise of its own", () => {
    for (const name of ["DDPG", "TD3", "MADDPG", "MATD3"])
      expect(
        parsed({ algorithm: { name }, environment: { name: "X", num_envs: 6 } }).algorithm,
      ).toMatchObject({ vect_noise_dim: 6 });
  });

  it("validate algorithms that do not run yet, and warn of them", () => {
    registerLater();
    const parts = { algorithm: { name: LATER }, environment: { name: "FetchReach-v4" } };
    const result = checkManifest(manifestWith(parts), { environments: ["CartPole-v1"] });
    expect(result.success).toBe(true);
    const warnings = manifestWarnings(parsed(parts));
    expect(warnings.map(({ path }) => path)).toEqual(["algorithm.name"]);
    expect(sectionIssue({ algorithm: { name: LATER, gamma: 2 } }).path).toBe("algorithm.gamma");
  });

  it("let PPO squash its output", () => {
    const { network } = parsed({ algorithm: ppo, network: { squash_output: true } });
    expect(network).toMatchObject({ squash_output: true });
  });

  it("know the environments they are told", () => {
    const options = { environments: ["CartPole-v1", "Acrobot-v1"] };
    expect(checkManifest(manifestWith({}), options).success).toBe(true);
    const unknown = checkManifest(manifestWith({ environment: { name: "CartPoll-v1" } }), options);
    expect(unknown).toMatchObject({ issues: [{ path: "environment.name", suggestion: "CartPole-v1" }] });
    const own = manifestWith({ environment: { name: "Mine", entrypoint: "mine:Env" } });
    expect(checkManifest(own, options).success).toBe(true);
  });
});

describe("errors", () => {
  it("list every problem with its dotted path", () => {
    const error = specErrorOf(() =>
      parseManifestObject({
        algorithm: { name: "DQN", lr: -1 },
        environment: { name: "CartPole-v1", num_env: 4 },
        training: { max_steps: 0 },
        selection_strategies: {},
      }),
    );
    expect(error.issues.map((issue) => issue.path).toSorted()).toEqual([
      "algorithm.lr",
      "environment.num_env",
      "selection_strategies",
      "training.max_steps",
    ]);
    expect(error.message).toMatch(/^Invalid manifest \(4 problems\):/);
    expect(error.message).toContain("training.max_steps: found 0; must be at least 1");
    expect(error.message).toContain('did you mean "selection_strategy"?');
    expect(error.name).toBe("SpecError");
  });

  it("name the section that an unknown key belongs to", () => {
    expect(sectionIssue({ max_steps: 5 })).toMatchObject({
      path: "max_steps",
      suggestion: "training.max_steps",
    });
    expect(sectionIssue({ training: { tournament_size: 5 } }).suggestion).toBe(
      "selection_strategy.tournament_size",
    );
    expect(sectionIssue({ training: { rand_seed: 5 } }).suggestion).toBe("mutation.rand_seed");
  });

  it("name the algorithm section only for keys of the algorithm that stands there", () => {
    const clip_coef = (name: string) => sectionIssue({ algorithm: { name }, training: { clip_coef: 0.2 } });
    expect(clip_coef("PPO").suggestion).toBe("algorithm.clip_coef");
    expect(clip_coef("Recurrent PPO").suggestion).toBe("algorithm.clip_coef");
    expect(clip_coef("DQN")).not.toHaveProperty("suggestion");
    expect(clip_coef("DQN").message).toContain("allowed keys: ");
  });

  it("say in every section where a seed is set, though some algorithms have a key of that name", () => {
    for (const sections of [{ seed: 2 }, { algorithm: { name: "DQN", seed: 2 } }]) {
      const issue = sectionIssue(sections);
      expect(issue.message).toBe(
        'unknown key "seed"; set training.seed, or give a seed when training starts',
      );
      expect(issue).not.toHaveProperty("suggestion");
    }
  });

  it("takes a seed from training or mutation, which must agree, without a warning where nothing evolves", () => {
    const issue = sectionIssue({ training: { seed: 2 }, mutation: { rand_seed: 42 } });
    expect(issue).toMatchObject({
      path: "training.seed",
      message: "found 2, but mutation.rand_seed is 42; give the seed once",
    });

    for (const parts of [
      { training: { seed: 7 } },
      { mutation: { rand_seed: 7 } },
      { training: { seed: 7 }, mutation: { rand_seed: 7 } },
    ]) {
      expect(manifestWarnings(parsed(parts))).toEqual([]);
    }
    const evolving = parsed({ training: { seed: 7 }, mutation: { mutation_sd: 0.2 } });
    expect(evolving.mutation?.rand_seed).toBe(7);
    expect(manifestWarnings(evolving)).toMatchObject([{ path: "selection_strategy" }]);
    expect(parseManifestObject(evolving)).toEqual(evolving);
  });

  it.each([[null], [undefined], [[]], [5], [true]])("say that %o is no manifest", (input) => {
    const result = checkManifest(input);
    expect(result).toMatchObject({ success: false, issues: [{ path: "", code: "type" }] });
  });

  it.each(["training", "algorithm", "environment"])("say when %s is no mapping", (key) => {
    expect(sectionIssue({ [key]: [] })).toMatchObject({ path: key, code: "type" });
    expect(sectionIssue({ [key]: "x" }).message).toContain("a mapping of keys to values");
  });

  it("do not run away with hostile keys", () => {
    const input = JSON.parse(
      '{"algorithm":{"name":"DQN"},"environment":{"name":"X"},"training":{"constructor":1}}',
    );
    expect(manifestIssues(input)).toMatchObject([{ path: "training.constructor", code: "unknown_key" }]);
    expect(sectionIssue({ constructor: 1 }).message).toMatch(/^unknown key "constructor"; allowed keys: /);
    expect(sectionIssue({ algorithm: { name: "toString" } }).path).toBe("algorithm.name");
  });
});

describe("manifestWarnings", () => {
  const paths = (parts: Record<string, unknown>) =>
    manifestWarnings(parsed(parts)).map((warning) => warning.path);

  it("are silent for a plain run and for one that evolves", () => {
    expect(paths({})).toEqual([]);
    expect(paths({ training: { hpo: true } })).toEqual([]);
  });

  it.each([
    [{ training: { hpo: true, pop_size: 1 } }, ["training.pop_size"]],
    [{ mutation: { mutation_sd: 0.1 }, training: { pop_size: 4 } }, ["selection_strategy"]],
    [{ selection_strategy: {}, training: { pop_size: 4 } }, ["mutation"]],
    [
      { algorithm: ppo, replay_buffer: {}, training: { eps_end: 0.1 } },
      ["replay_buffer", "training.eps_end"],
    ],
    [{ training: { checkpoint_path: "x" } }, ["training.checkpoint_path"]],
  ])("tell that part of %o has no effect", (parts, expected) => {
    expect(paths(parts)).toEqual(expected);
  });

  it("tell that a rollout of one step becomes one of two", () => {
    const learn_step = 1;
    const of = (num_envs: number) =>
      paths({ algorithm: { name: "PPO", learn_step }, environment: { name: "X", num_envs } });
    expect([of(1), of(2)]).toEqual([["algorithm.learn_step"], []]);
  });

  it("tell what entropy bonus PPO needs in CliffWalking-v1", () => {
    const warned = (fields: object, environment = "CliffWalking-v1") =>
      manifestWarnings(parsed({ algorithm: { ...ppo, ...fields }, environment: { name: environment } }));
    expect(warned({})).toEqual([
      {
        path: "algorithm.ent_coef",
        message: expect.stringContaining(
          "is 0.01, the default: agents of CliffWalking-v1 learn with ent_coef: 0.1",
        ),
      },
    ]);
    expect(warned({ ent_coef: 0.1 })).toEqual([]);
    expect(warned({}, "FrozenLake-v1")).toEqual([]);
    const other = parsed({ algorithm: { name: "DQN" }, environment: { name: "CliffWalking-v1" } });
    expect(manifestWarnings(other)).toEqual([]);
  });

  it.each(["DDPG", "TD3"])("tell what noise %s needs in MountainCarContinuous-v0", (name) => {
    const warned = (fields: object, environment = "MountainCarContinuous-v0") =>
      manifestWarnings(parsed({ algorithm: { name, ...fields }, environment: { name: environment } }));
    expect(warned({})).toMatchObject([{ path: "algorithm.expl_noise" }]);
    expect(warned({})[0]?.message).toMatch(/^is 0\.1, .*expl_noise: 0\.5, O_U_noise: true/);
    expect(warned({ expl_noise: 0.1, O_U_noise: false })).toHaveLength(1);
    expect(warned({ expl_noise: 0.5, O_U_noise: false })).toMatchObject([{ path: "algorithm.O_U_noise" }]);
    expect(warned({ expl_noise: 0.5 })).toEqual([]);
    expect(warned({}, "Pendulum-v1")).toEqual([]);
    const other = parsed({ algorithm: ppo, environment: { name: "MountainCarContinuous-v0" } });
    expect(manifestWarnings(other)).toEqual([]);
  });
});
