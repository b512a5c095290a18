/** What manifests ask for is known before anything is built. */

import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createPopulation } from "../../../src/agents/classes.ts";
import {
  parseManifest,
  SpecError,
  type TrainingManifest,
  validateManifest,
} from "../../../src/manifests/index.ts";
import { findEnvironment, isCompiled, needsMujoco, needsPlanck } from "../../../src/rl/environments.ts";
import { initialise } from "../../../src/rl/networks.ts";
import { LocalTrainer, runIssues, type TrainerOptions } from "../../../src/training/index.ts";
import { numbersOf } from "../../../src/training/plan/estimateRun.ts";
import { environmentOf, estimateRun, initialMembers, initialState } from "../../../src/training/plan.ts";
import { rlTemplates } from "../../support/rlTemplates.ts";
import { numbersMade } from "../support/numbersMade.ts";
import "../../support/propertySeed.ts";

vi.mock("../../../src/rl/modules/initialise.ts", { spy: true });

type Sections = Record<string, Record<string, unknown>>;

const ENVIRONMENTS: Readonly<Record<string, string>> = {
  DQN: "CartPole-v1",
  RainbowDQN: "CartPole-v1",
  DDPG: "Pendulum-v1",
  TD3: "Pendulum-v1",
  PPO: "CartPole-v1",
};
const NAMES = Object.keys(ENVIRONMENTS);
const OFF_POLICY = NAMES.filter((name) => name !== "PPO");

const manifestOf = (name: string, { algorithm, environment, ...sections }: Sections = {}) => ({
  algorithm: { name, ...algorithm },
  environment: { name: ENVIRONMENTS[name] as string, ...environment },
  ...sections,
});

// Whatever the sections say, they are given as options.
const trainerOf = (sections: object): LocalTrainer => new LocalTrainer(sections as TrainerOptions);

/** What making a trainer gives: the trainer, or why it is refused. */
function outcomeOf(sections: object): LocalTrainer | Error {
  try {
    return trainerOf(sections);
  } catch (error) {
    return error as Error;
  }
}

/** Problems of a manifest in the order in which they are listed. */
function problemsOf(manifest: Record<string, unknown>): { path: string; message: string }[] {
  const result = validateManifest(manifest, { alsoCheck: runIssues });
  return result.success ? [] : result.issues.map(({ path, message }) => ({ path, message }));
}

afterEach(() => {
  vi.mocked(initialise).mockClear();
});

describe("validation", () => {
  it.each(NAMES)(
    "of %s draws no weights and makes no arrays, for sizes that fit and sizes that do not",
    (name) => {
      for (const hidden_size of [
        [2_000, 2_000],
        [20_000, 20_000],
        [1e9, 1e9],
      ]) {
        const manifest = manifestOf(name, { network: { encoder_config: { hidden_size } } });
        const made = numbersMade(() => {
          const problems = problemsOf(manifest);
          expect(problems.length === 0).toBe(hidden_size[0] === 2_000);
          expect(outcomeOf(manifest) instanceof LocalTrainer).toBe(problems.length === 0);
        });
        expect(made).toBeLessThan(1_000);
      }
      expect(initialise).not.toHaveBeenCalled();
    },
  );
});

describe("sizes that no machine has", () => {
  it.each<[string, Sections, readonly string[], RegExp]>([
    ["environment.num_envs", { environment: { num_envs: 1e9 } }, NAMES, /needs about \d+ MB/],
    ["replay_buffer.max_size", { replay_buffer: { max_size: 1e12 } }, OFF_POLICY, /needs about \d+ MB/],
    ["training.pop_size", { training: { pop_size: 1e6 } }, NAMES, /needs about \d+ MB of memory/],
    [
      "network.encoder_config.hidden_size[0]",
      { network: { encoder_config: { hidden_size: [1e9] } } },
      NAMES,
      /needs about \d+ MB/,
    ],
    ["network.latent_dim", { network: { latent_dim: 1e9 } }, NAMES, /needs about \d+ MB/],
    [
      "network.encoder_config.min_mlp_nodes",
      { network: { encoder_config: { min_mlp_nodes: 1e9 } } },
      NAMES,
      /needs about \d+ MB/,
    ],
    ["algorithm.num_atoms", { algorithm: { num_atoms: 1e8 } }, ["RainbowDQN"], /needs about \d+ MB/],
    ["algorithm.batch_size", { algorithm: { batch_size: 1e9 } }, OFF_POLICY, /needs about \d+ MB/],
    ["algorithm.learn_step", { algorithm: { learn_step: 1e9 } }, ["PPO"], /needs about \d+ MB/],
    ["algorithm.update_epochs", { algorithm: { update_epochs: 1e9 } }, ["PPO"], /needs at least \d+ days/],
    [
      "environment.env_config.max_episode_steps",
      { environment: { env_config: { max_episode_steps: 1e12 } } },
      NAMES,
      /needs at least \d+ days/,
    ],
    [
      "selection_strategy.tournament_size",
      { selection_strategy: { tournament_size: 1e9 }, training: { pop_size: 4 } },
      NAMES,
      /needs 4000000000 draws .* allowed: at most 10000000; .* at most 2500000 fits/,
    ],
  ])("are refused by name: %s", (path, sections, names, needs) => {
    for (const name of names) {
      const [problem, ...others] = problemsOf(manifestOf(name, sections));
      expect([name, problem?.path, others]).toEqual([name, path, []]);
      expect(problem?.message).toMatch(needs);
      expect(problem?.message).toMatch(
        /^found \d+; .*(has \d+ MB|allowed: at most \d+).*, at most \d+ fits$/,
      );
      expect(() => trainerOf(manifestOf(name, sections))).toThrow(path);
    }
  });

  it("say a number that does fit", () => {
    const { message } = problemsOf(manifestOf("DQN", { replay_buffer: { max_size: 1e12 } }))[0] as {
      message: string;
    };
    const fits = Number(/at most (\d+) fits/.exec(message)?.[1]);
    expect(problemsOf(manifestOf("DQN", { replay_buffer: { max_size: fits } }))).toEqual([]);
    expect(problemsOf(manifestOf("DQN", { replay_buffer: { max_size: fits + 2 } }))).toHaveLength(1);
  });

  it("count an evolution strategy's noise, which is large if it has a high rank, or none", () => {
    const withRank = (rank: number | null) => ({
      algorithm: { name: "ES", perturbations: 100_000, rank },
      environment: { name: "CartPole-v1" },
      network: { encoder_config: { hidden_size: [256, 256] } },
    });
    expect(problemsOf(withRank(1))).toEqual([]);
    for (const rank of [64, null]) {
      const [problem] = problemsOf(withRank(rank));
      expect(problem?.path).toBe("algorithm.perturbations");
      expect(problem?.message).toMatch(/needs about \d+ MB/);
    }
  });

  it("are all named when there are several", () => {
    const sections = {
      environment: { num_envs: 1e9 },
      replay_buffer: { max_size: 1e12 },
      training: { pop_size: 1e6 },
    };
    expect(problemsOf(manifestOf("DQN", sections)).map(({ path }) => path)).toEqual([
      "environment.num_envs",
      "replay_buffer.max_size",
      "training.pop_size",
    ]);
  });

  it.each<[string, Sections, readonly string[]]>([
    ["algorithm.lr", { algorithm: { lr: 1e308 } }, ["DQN", "RainbowDQN", "PPO"]],
    ["algorithm.lr_actor", { algorithm: { lr_actor: 1e308 } }, ["DDPG", "TD3"]],
    ["algorithm.tau", { algorithm: { tau: 1e308 } }, OFF_POLICY],
    ["algorithm.tau", { algorithm: { tau: 1.5 } }, OFF_POLICY],
    ["algorithm.learn_step", { algorithm: { learn_step: 1e12 } }, NAMES],
    ["algorithm.v_max", { algorithm: { v_max: 1e308 } }, ["RainbowDQN"]],
    ["algorithm.expl_noise", { algorithm: { expl_noise: 1e308 } }, ["DDPG", "TD3"]],
    ["algorithm.n_step", { algorithm: { n_step: 1e9 } }, ["RainbowDQN"]],
    [
      "network.encoder_config.min_hidden_layers",
      { network: { encoder_config: { min_hidden_layers: 1e9 } } },
      NAMES,
    ],
    [
      "network.encoder_config.num_blocks",
      { network: { simba: true, encoder_config: { num_blocks: 1e9 } } },
      NAMES,
    ],
    [
      "selection_strategy.n_subpopulations",
      {
        training: { pop_size: 3e9 },
        selection_strategy: { strategy: "multi_frequency", n_subpopulations: 1e9 },
      },
      NAMES,
    ],
  ])(
    "of numbers that programs cannot hold are refused by the field's own bounds: %s",
    (path, sections, names) => {
      for (const name of names) {
        const problems = problemsOf(manifestOf(name, sections));
        const found = problems.find((problem) => problem.path.startsWith(path));
        expect(found?.message).toMatch(/must be at most/);
      }
    },
  );

  it.each([
    ["createPopulation", 1e6],
    ["createPopulation", 1e12],
  ])("are refused by %s: %i members", (_, population_size) => {
    const { observation_space, action_space } = findEnvironment("CartPole-v1");
    const ask = () =>
      createPopulation({ algorithm: "DQN", observation_space, action_space, population_size });
    expect(ask).toThrow(/^population_size: found \d+; needs about \d+ MB of memory, .*at most \d+ fits$/);
    expect(initialise).not.toHaveBeenCalled();
    createPopulation({ algorithm: "DQN", observation_space, action_space, population_size: 1 });
    expect(initialise).toHaveBeenCalled();
  });
});

describe("every number of a manifest", () => {
  /** All sections with all defaults written out. */
  const whole = (name: string): TrainingManifest =>
    parseManifest(
      manifestOf(name, {
        training: { pop_size: 2, max_steps: 1e15 },
        mutation: { rl_hp_selection: { batch_size: { min: 8, max: 64 } } },
        selection_strategy: { tournament_size: 2 },
        ...(name === "PPO" ? {} : { replay_buffer: { max_size: 1_000 } }),
        network: {
          arch: "mlp",
          random_seed: 3,
          encoder_config: { hidden_size: [32] },
          head_config: { hidden_size: [32] },
        },
      } as Sections),
    );

  const replaced = (
    value: unknown,
    [key, ...rest]: readonly (string | number)[],
    number: number,
  ): unknown => {
    if (key === undefined) return number;
    if (Array.isArray(value))
      return value.map((item, i) => (i === key ? replaced(item, rest, number) : item));
    const mapping = value as Record<string, unknown>;
    return { ...mapping, [key]: replaced(mapping[key], rest, number) };
  };

  it.each(NAMES)(
    "of %s may be enormous: it is refused in short, or the trainer is made, and nothing else is",
    (name) => {
      const { apiVersion: _, ...manifest } = whole(name);
      const all = numbersOf(manifest);
      expect(all.length).toBeGreaterThan(40);
      // The other sections are those of DQN, or without a replay buffer those of PPO.
      const isFirst = name === "DQN" || name === "PPO";
      const numbers = isFirst ? all : all.filter(([path]) => path[0] === "algorithm");
      expect(numbers.length).toBeGreaterThan(3);
      const made = numbersMade(() => {
        for (const [path] of numbers) {
          for (const number of [1e9, 1e12, 1e308]) {
            const changed = replaced(manifest, path, number) as Record<string, unknown>;
            const problems = problemsOf(changed);
            for (const { message } of problems) expect(Buffer.byteLength(message)).toBeLessThan(4_000);
            expect(outcomeOf(changed)).toBeInstanceOf(problems.length > 0 ? SpecError : LocalTrainer);
          }
        }
      });
      expect(made).toBeLessThan(10_000);
      expect(initialise).not.toHaveBeenCalled();
    },
  );
});

describe("the estimate", () => {
  it.each(rlTemplates.map(({ id, manifest }) => [id, manifest] as const))(
    "of %s has the bytes of what is built",
    (_, given) => {
      const manifest = parseManifest(given as Record<string, unknown>);
      const env = environmentOf(manifest);
      const state = initialState(manifest, initialMembers(manifest, env, 1), env);
      const estimate = estimateRun(manifest);
      const bytes = (arrays: Readonly<Record<string, { readonly byteLength: number }>>) =>
        Object.values(arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);
      const members = state.members.map(({ networks, parameters, optimizers }) => ({
        networks: Object.values(networks).reduce(
          (sum, { tensors }) => sum + bytes(tensors),
          4 * Object.values(parameters ?? {}).reduce((sum, { values }) => sum + values.length, 0),
        ),
        moments: Object.values(optimizers).reduce(
          (sum, { first, second }) => sum + bytes(first) + bytes(second),
          0,
        ),
      }));
      expect(estimate.weights).toBe((members[0]?.networks ?? 0) / 4);
      const population = members.reduce((sum, { networks, moments }) => sum + networks + moments, 0);
      expect(estimate.population_bytes).toBeGreaterThan(population);
      const { replay } = state;
      const segments = replay ? replay.segments.reduce((sum, rows) => sum + bytes(rows), 0) : 0;
      expect(Math.abs(estimate.replay_bytes - segments)).toBeLessThanOrEqual(segments / 1_000);
      expect(estimate.total_bytes).toBeLessThan(200e6);
      expect(runIssues(manifest)).toEqual([]);
      expect(isCompiled(env) || needsPlanck(env.id) || needsMujoco(env.id)).toBe(true);
    },
  );
});

describe("the estimate of a population that learns by the transitions of all", () => {
  const estimateOf = (training: object) =>
    estimateRun(
      parseManifest({
        algorithm: { name: "DQN", learn_step: 2 },
        environment: { name: "CartPole-v1", num_envs: 16, env_config: { max_episode_steps: 5 } },
        training,
      }),
    );

  it("counts its learning steps, up to the bound, and needs no more memory", () => {
    const alone = estimateOf({ pop_size: 4 });
    expect(alone.replay_ratio).toBeNull();
    const shared = { pop_size: 4, learn_from: "population" };
    const { replay_ratio, step_seconds, ...rest } = estimateOf(shared);
    expect(replay_ratio).toBe(2);
    expect(step_seconds / alone.step_seconds).toBeCloseTo(4, 10);
    expect({ ...rest, replay_ratio: null, step_seconds: alone.step_seconds }).toEqual(alone);
    const bounded = estimateOf({ ...shared, max_replay_ratio: 1.5 });
    expect(bounded.replay_ratio).toBe(1.5);
    expect(bounded.step_seconds / alone.step_seconds).toBeCloseTo(3, 10);
  });

  it("is that of one agent, if there is no other", () => {
    const one = estimateOf({ learn_from: "population", max_replay_ratio: 0.1 });
    expect(one).toEqual({ ...estimateOf({}), replay_ratio: 0.5 });
  });
});

describe("a manifest without problems", () => {
  const pick = <T>(...values: T[]) => fc.constantFrom(...values);
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  /** Mostly the first, so that whole manifests are sometimes right. */
  const mostly = <T>(usual: T, ...others: T[]) =>
    fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: pick(...others) });
  const places = fc
    .tuple(
      fc.record({
        name: mostly<string>(
          "CartPole-v1",
          "Pendulum-v1",
          "MinAtar/Breakout-v1",
          "FrozenLake-v1",
          "Nowhere-v1",
        ),
        num_envs: mostly<number>(4, 1, 1e9),
        env_config: mostly<unknown>(
          {},
          { max_episode_steps: 5 },
          { max_episode_steps: 1e12 },
          { no: 1 },
          "a.yaml",
        ),
      }),
      mostly<object>(
        {},
        { custom: true },
        { custom: true, entrypoint: "a.b:C" },
        { entrypoint: "CartPole-v1" },
        { path: "x.py" },
        { env_wrappers: [] },
        { env_wrappers: ["Clip"] },
      ),
    )
    .map(([place, foreign]) => ({ ...place, ...foreign }));
  const manifests = fc.record(
    {
      algorithm: fc.record({
        name: mostly<string>("DQN", "RainbowDQN", "DDPG", "TD3", "PPO", "CQN", "IPPO"),
        batch_size: mostly<number>(8, 1, 1e10),
      }),
      environment: places,
      training: fc.record({
        pop_size: mostly<number>(2, 1, 6, 1e7),
        max_steps: pick(64),
        hpo: pick(true, false),
      }),
      replay_buffer: maybe(
        fc.record({ max_size: mostly<number>(1_000, 1, 24, 1e12), per_buffer: mostly<boolean>(false, true) }),
      ),
      network: maybe(
        fc.record({
          latent_dim: mostly<number>(8, 1e9),
          simba: mostly<boolean>(false, true),
          encoder_config: mostly<object>(
            {},
            { hidden_size: [8] },
            { channel_size: [8] },
            { kernel_size: [30] },
            { hidden_size: [1e7] },
          ),
        }),
      ),
      mutation: maybe(pick({}, { rl_hp_selection: { batch_size: { min: 1, max: 9 } } })),
    },
    { requiredKeys: ["algorithm", "environment", "training"] },
  );

  it("is one that a trainer takes, and that its first generation can be built from", () => {
    let [accepted, refused] = [0, 0];
    fc.assert(
      fc.property(manifests, (manifest) => {
        const given = Object.fromEntries(
          Object.entries(manifest).filter(([, section]) => section !== undefined),
        );
        const problems = problemsOf(given);
        const trainer = outcomeOf(given);
        expect(trainer instanceof LocalTrainer).toBe(problems.length === 0);
        if (!(trainer instanceof LocalTrainer)) {
          refused++;
          return;
        }
        accepted++;
        const made = trainer.manifest;
        const env = environmentOf(made);
        const { members } = initialState(made, initialMembers(made, env, 1), env);
        expect(members).toHaveLength(made.training.pop_size);
      }),
      { numRuns: 200 },
    );
    expect(accepted).toBeGreaterThan(5);
    expect(refused).toBeGreaterThan(50);
  });
});
