/** Populations in games: opponents, leagues and ratings. */
// @apart: its programs and devices fill much memory.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/evolution/index.ts";
import {
  findCompiledEnvironment,
  make,
  makeVector,
  oneStepRule,
  writeGameFile,
} from "../../src/rl/environments.ts";
import { SyncVectorEnvironment } from "../../src/rl/faces.ts";
import { commitCheckpoint, memoryFileStore, readCheckpoint } from "../../src/storage/index.ts";
import { Accelerator, LocalTrainer, type TrainerOptions, trainOnPolicy } from "../../src/training/index.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import { ppoPopulation } from "./support/functions.ts";
import { rlState } from "./support/rlRuns.ts";
import { type Changes, dqn, EVOLUTION, endOf, NETWORK, ppo, trained } from "./support/tiny.ts";

keepThreads();

const TICTACTOE = "rlkit/TicTacToe";
const environment = { env_type: "gym", name: TICTACTOE, num_envs: 4 } as const;
const network = { ...NETWORK, arch: "mlp", min_latent_dim: 4 } as const;

/** Six generations against all kinds of opponents, with mutations that change architectures. */
const GAMES = {
  PPO: (more: Changes = {}): TrainerOptions =>
    ppo({
      environment,
      network,
      ...EVOLUTION,
      ...more,
      training: {
        max_steps: 768,
        opponents: { self: 1, past: 1, league: 1, random: 1, "rule:one_step": 1 },
        opening_moves: 3,
        symmetries: true,
        opponent_interval: 1,
        opponent_pool: 3,
        ...more.training,
      },
    }),
  DQN: (more: Changes = {}): TrainerOptions =>
    dqn({
      environment,
      network,
      ...EVOLUTION,
      ...more,
      training: {
        max_steps: 960,
        opponents: "mixed",
        opening_moves: 3,
        symmetries: true,
        opponent_interval: 1,
        opponent_pool: 3,
        ...more.training,
      },
    }),
  AlphaZero: (more: Changes = {}): TrainerOptions =>
    ppo({
      environment,
      network,
      ...EVOLUTION,
      ...more,
      algorithm: {
        name: "AlphaZero",
        simulations: 4,
        learn_step: 32,
        batch_size: 16,
        replay_size: 96,
        ...more.algorithm,
      },
      training: {
        max_steps: 768,
        opponent_interval: 1,
        opponent_pool: 3,
        search: { simulations: 4 },
        ...more.training,
      },
    }),
};

const SEED = { seed: 5 };
type Trained = Awaited<ReturnType<typeof trained>>;
const ended = (run: Trained) => ({ ...endOf(run), league: rlState(run.state).league });

describe.each(Object.entries(GAMES))("%s in a game", (_name, options) => {
  it("ends with the same bits after a stop, in two workers", async () => {
    const expected = ended(await trained(options(SEED)));
    expect(expected.generation).toBe(6);
    const store = memoryFileStore();
    const stopped = await trained(options({ ...SEED, store }), {
      checkpoint_steps: 1,
      checkpoint_path: "c",
      watch: (event, run) => {
        if (event.event === "generation" && event.generation === 3) setImmediate(() => run.stop());
      },
    });
    const resume_from_checkpoint = stopped.recorder.checkpoints.at(-1) as string;
    const accelerator = new Accelerator({ workers: 2 });
    const resumed = await trained(options({ store, accelerator, resume_from_checkpoint }));
    expect(ended(resumed)).toEqual(expected);
  });

  it("is rated against rules and past agents, of which few are kept", async () => {
    const run = await trained(options(SEED));
    const { league } = rlState(run.state);
    expect(league?.past).toHaveLength(3);
    expect(league?.past.at(-1)?.generation).toBe(6);
    const last = run.recorder.generations.at(-1);
    const { players = [], matches = [] } = last?.league ?? {};
    expect(players.slice(0, 2).map(({ id }) => id)).toEqual(["random", "one_step"]);
    expect(players[0]?.rating).toBe(0);
    // 4 games against each rule and each past agent before this generation.
    for (const own of matches) expect(own?.map(({ games }) => games)).toEqual([4, 4, 4, 4, 4]);
    for (const [slot, member] of (last?.members ?? []).entries()) {
      expect(last?.fitnesses[slot]).toBe(member.fitness);
      expect(member.evaluation?.error).toBeGreaterThan(0);
    }
  });
});

it.each(["puct", "gumbel"])("AlphaZero learns to win against random moves: %s", async (search) => {
  const layers = { hidden_size: [32] };
  const options = GAMES.AlphaZero({
    environment: { ...environment, num_envs: 32 },
    network: { arch: "mlp", latent_dim: 32, encoder_config: layers, head_config: layers },
    algorithm: { search, simulations: 12, learn_step: 512, batch_size: 64, lr: 0.003 },
    training: { pop_size: 1, max_steps: 12_288, evo_steps: 4096, eval_loop: 4 },
    ...SEED,
  });
  const { recorder } = await trained({ ...options, mutation: undefined, selection_strategy: undefined });
  const [score] = recorder.generations.at(-1)?.league?.matches[0] ?? [];
  expect(score).toMatchObject({ opponent: "random", games: 128 });
  expect(score?.points).toBeGreaterThan(96);
});

it("A curriculum reaches stages by ratings, and is in the same one after a stop", async () => {
  // Everybody reaches the first limit, and nobody the second one.
  const opponents = [
    { against: "random", until: -9999 },
    { against: { past: 1, "rule:one_step": 1 }, until: 9999 },
    { against: "self" },
  ];
  const options = (more: Changes = {}) =>
    GAMES.PPO({ ...SEED, ...more, training: { opponents, ...more.training } });
  const run = await trained(options());
  expect(run.recorder.generations.map(({ league }) => league?.stage)).toEqual(
    new Array(6).fill({ number: 2, of: 3, until: 9999 }),
  );
  const store = memoryFileStore();
  const half = await trained(options({ store, training: { max_steps: 384 } }), {
    checkpoint_steps: 1,
    checkpoint_path: "c",
  });
  const resume_from_checkpoint = half.recorder.checkpoints.at(-1) as string;
  expect(ended(await trained(options({ store, resume_from_checkpoint })))).toEqual(ended(run));
  // A pool whose files are gone.
  const { commit, files } = await readCheckpoint(store, resume_from_checkpoint);
  files.delete("past_1.safetensors");
  await store.remove(resume_from_checkpoint);
  await commitCheckpoint(store, resume_from_checkpoint, files, commit);
  await expect(trained(options({ store, resume_from_checkpoint }))).rejects.toThrow(
    `${resume_from_checkpoint}/past_1.safetensors: is missing from the checkpoint`,
  );
  // Opponents of the second stage are others than those of the first.
  const first = await trained(options({ training: { opponents: "random" } }));
  expect(endOf(first)).not.toEqual(endOf(run));
});

it("Members of a league that are nearly tied are rated by all their games", async () => {
  const { mutation } = EVOLUTION;
  const run = await trained(
    ppo({
      ...SEED,
      environment,
      network,
      mutation,
      selection_strategy: { strategy: "truncation" },
      training: { pop_size: 4, max_steps: 256, tie_episodes: 8 },
    }),
  );
  const [first] = run.recorder.generations;
  const games = (first?.league?.matches ?? []).map((own) => own?.map((match) => match.games));
  // Four games against each rule, and eight more of those that were settled.
  expect(games).toContainEqual([12, 12]);
  for (const [slot, { evaluation }] of (first?.members ?? []).entries()) {
    const played = games[slot]?.reduce((a, b) => a + b, 0);
    expect(evaluation?.returns).toHaveLength(played as number);
    // The error of a rating by a few games; that of a mean return is below 1.
    expect(evaluation?.error).toBeGreaterThan(10);
  }
});

describe("A manifest in a game", () => {
  it.each([
    [
      "environment.num_envs",
      "found 3, allowed in games: even numbers",
      ppo({ environment: { ...environment, num_envs: 3 }, network }),
    ],
    [
      "algorithm.name",
      'found "ES", allowed in games: DQN, RainbowDQN, PPO, AlphaZero',
      { ...ppo({ environment, network }), algorithm: { name: "ES" } },
    ],
    [
      "environment.name",
      'found "CartPole-v1", allowed with AlphaZero: rlkit\'s games of two players without chance',
      {
        ...ppo({ environment: { ...environment, name: "CartPole-v1" }, network }),
        algorithm: { name: "AlphaZero" },
      },
    ],
    [
      "algorithm.recurrent",
      "found true, allowed in games: false",
      { ...ppo({ environment, algorithm: { recurrent: true } }), network: undefined },
    ],
    [
      "training.opponents",
      "found rule:hold_at_20, a player of rlkit/Pig; rlkit/TicTacToe has no such rule",
      ppo({ environment, network, training: { opponents: "rule:hold_at_20" } }),
    ],
  ])("is refused at %s: %s", async (path, message, options) => {
    const refused = trained(options as TrainerOptions);
    await expect(refused).rejects.toThrow(path);
    await expect(trained(options as TrainerOptions)).rejects.toThrow(message);
  });

  it("needs no network on the smallest board, which convolutions do not fit into", async () => {
    const run = await trained({ ...ppo({ environment }), network: undefined });
    const [member] = rlState(run.state).members;
    expect(member?.networks.actor?.data).toMatchObject({ encoder: { kind: "mlp" } });
    const kernels = { encoder_config: { channel_size: [4], kernel_size: [3], stride_size: [1] } };
    const convolved = await trained({ ...ppo({ environment }), network: kernels });
    expect(rlState(convolved.state).members[0]?.networks.actor?.data).toMatchObject({
      encoder: { kind: "cnn" },
    });
  });

  it("needs no setting of opponents where chance deals cards, but refuses the rule that looks ahead", async () => {
    const leduc = { environment: { ...environment, name: "rlkit/LeducPoker" }, network };
    expect(endOf(await trained(ppo(leduc))).generation).toBeGreaterThan(0);
    const looking = ppo({ ...leduc, training: { opponents: "rule:one_step" } });
    await expect(trained(looking)).rejects.toThrow("rlkit/LeducPoker has chance");
    const searching = ppo({ ...leduc, training: { search: { simulations: 4 } } });
    await expect(trained(searching)).rejects.toThrow("training.search");
  });

  it("has the rule that follows the ball in Rally, and nowhere else", async () => {
    const rally = { ...environment, name: "rlkit/Rally", env_config: { observation: "vector" } };
    const training = { opponents: { "rule:follow": 1, self: 1 } };
    const { recorder } = await trained(ppo({ environment: rally, network, training }));
    const { players = [] } = recorder.generations.at(-1)?.league ?? {};
    expect(players.map(({ id }) => id).slice(0, 2)).toEqual(["random", "follow"]);
    const seen = dqn({
      environment: { ...rally, env_config: {} },
      network: undefined,
      training: { pop_size: 1, max_steps: 80, evo_steps: 80 },
    });
    expect(endOf(await trained(seen)).generation).toBe(1);
    await expect(trained(ppo({ environment, network, training }))).rejects.toThrow(
      "found rule:follow, a player of rlkit/Rally; rlkit/TicTacToe has no such rule",
    );
  });

  it.each(["BC", "CQN"])("learns from records of games by %s, and is rated as others are", async (name) => {
    const env = findCompiledEnvironment(TICTACTOE);
    const { rules } = env.game as NonNullable<typeof env.game>;
    const random = new Random({ seed: 1, stream: "records" });
    const games = Array.from({ length: 600 }, () => {
      const moves: number[] = [];
      for (let state = rules.start; !rules.returns(state); state = rules.next(state, moves.at(-1) as number))
        moves.push(oneStepRule(rules, state, random));
      return moves;
    });
    const dataset_path = path.join(mkdtempSync(path.join(tmpdir(), "games-")), "rule.games");
    writeFileSync(dataset_path, writeGameFile({ rules }, games));
    const options = {
      algorithm: { name, batch_size: 64, lr: 0.003 },
      environment: { env_type: "offline", name: TICTACTOE, dataset_path, num_envs: 64 },
      network: { ...network, latent_dim: 32, min_latent_dim: 4, encoder_config: { hidden_size: [32] } },
      training: { max_steps: 1200, evo_steps: 600, pop_size: 1, opponents: "random", seed: 2 },
    } as TrainerOptions;
    const { recorder } = await trained(options);
    expect(recorder.warnings).toContain(`training.opponents has no effect: ${name} learns from records`);
    const { matches = [] } = recorder.generations.at(-1)?.league ?? {};
    const [score] = matches[0] ?? [];
    expect(score).toMatchObject({ opponent: "random", games: 64 });
    // Random moves would have 32, with a standard error of at most 4.
    expect(score?.points).toBeGreaterThan(32 + 3 * 4);
  });

  it("learns from records of its own game, not of one with other options", async () => {
    const dataset_path = path.join(mkdtempSync(path.join(tmpdir(), "games-")), "pig.games");
    writeFileSync(dataset_path, 'game rlkit/Pig {"target":4}\nroll *3 hold roll *1 roll *2 hold');
    const options = (env_config: object): TrainerOptions =>
      ({
        algorithm: { name: "BC", batch_size: 4 },
        environment: { env_type: "offline", name: "rlkit/Pig", env_config, dataset_path, num_envs: 2 },
        network,
        training: { max_steps: 4, evo_steps: 4, pop_size: 1 },
      }) as TrainerOptions;
    await expect(trained(options({}))).rejects.toThrow(
      'pig.games: found games of rlkit/Pig {"target":4}, allowed those of the environment, rlkit/Pig {"target":100}',
    );
    expect(endOf(await trained(options({ target: 4, max_episode_steps: 50 }))).generation).toBe(1);
  });

  it.each(["rule:hold_at_20", "self"])(
    "learns Pig, where players keep the turn, against %s by PPO and DQN",
    async (opponents) => {
      const pig = { ...environment, name: "rlkit/Pig", env_config: { target: 20 } };
      for (const options of [ppo, dqn]) {
        const { recorder } = await trained(options({ environment: pig, network, training: { opponents } }));
        const { players = [], matches = [] } = recorder.generations.at(-1)?.league ?? {};
        expect(players.map(({ id }) => id).slice(0, 2)).toEqual(["random", "hold_at_20"]);
        expect(matches[0]?.map(({ games }) => games).slice(0, 2)).toEqual([4, 4]);
      }
    },
  );

  it("is trained by self-play from a caller's lanes, too, or refused", async () => {
    const { league } = rlState(
      (await trained(ppo({ environment: makeVector(TICTACTOE, 4), network }))).state,
    );
    expect(league?.players[0]?.id).toBe("random");
    const what = "found lanes of rlkit/TicTacToe, a game whose players would be trained as one agent";
    const single = make(TICTACTOE);
    expect(() => new LocalTrainer(ppo({ environment: single, network }))).toThrow(`environment: ${what}`);
    const env = new SyncVectorEnvironment([() => make(TICTACTOE), () => make(TICTACTOE)]);
    const called = trainOnPolicy({
      env,
      env_name: "game",
      algo: "PPO",
      pop: ppoPopulation(make("CartPole-v1")),
    });
    await expect(called).rejects.toThrow(`trainOnPolicy: env: ${what}`);
  });

  it("warns of opponents that nobody meets", async () => {
    const warned = async (options: TrainerOptions) => (await trained(options)).recorder.warnings;
    const training = {
      max_steps: 160,
      opponents: "past",
      opponent_pool: 3,
      symmetries: true,
      opening_moves: 2,
    };
    const alone = "has no effect: CartPole-v1 is no game of two players";
    const fields = ["opponents", "opening_moves", "symmetries"];
    expect(await warned(dqn({ training }))).toEqual(
      [...fields, "opponent_pool"].map((field) => `training.${field} ${alone}`),
    );
    const own = await warned(GAMES.AlphaZero({ training }));
    expect(own.slice(0, 3)).toEqual(
      fields.map((field) => `training.${field} has no effect: AlphaZero plays itself`),
    );
  });

  it.each([
    ["no limit before the last stage", [{ against: "random" }, { against: "self" }]],
    ["a limit of the last stage", [{ against: "random", until: 10 }]],
    ["no stage", []],
    ["an unknown opponent", [{ against: "nobody" }]],
  ])("is refused for %s", async (_what, opponents) => {
    await expect(trained(GAMES.PPO({ training: { opponents } }))).rejects.toThrow("training.opponents");
  });

  it("says that kinds of opponents need a weight", async () => {
    await expect(trained(GAMES.PPO({ training: { opponents: { self: 0 } } }))).rejects.toThrow(
      "training.opponents",
    );
  });
});
