/** Manifests of self-play, and what judges their champions. */
import { builtInTemplate, type TemplateId } from "../../src/manifests/templates.ts";
import type { TrainerOptions } from "../../src/training/index.ts";
import type { Figure } from "../harness/Row.ts";

interface Judge {
  /**
   * "best response", "all lines", "all lines of minimax", "solved positions", "hold at 20", "best play of Pig", "random",
   * "one step" or "minimax N", N moves deep.
   */
  readonly against: string;
  readonly games?: number;
  readonly figure: Figure;
  readonly passes: (value: number) => boolean;
}

export interface SelfPlayRow {
  readonly name: string;
  readonly title: string;
  readonly game: string;
  readonly manifest: TrainerOptions & { readonly training: object };
  /** Positions that the champion looks ahead when it is judged (default: its policy plays alone). */
  readonly simulations?: number;
  readonly judges: readonly Judge[];
  readonly must_pass: number;
}

const pointsOf = (against: string, at_least: number, games?: number): Judge => ({
  against,
  ...(games !== undefined && { games }),
  figure: { name: `points against ${against}`, unit: "of a game", target: { at_least }, digits: 2 },
  passes: (value) => value >= at_least,
});

/** Lines that are lost against minimax, and against opponents that try all moves. */
const NEVER_LOSES: readonly Judge[] = [
  {
    against: "all lines of minimax",
    figure: { name: "lines lost against minimax", unit: "", target: { at_most: 0 }, digits: 0 },
    passes: (value) => value === 0,
  },
  {
    against: "all lines",
    figure: { name: "lines lost, of all that opponents can try", unit: "", digits: 0 },
    passes: () => true,
  },
];

/** The manifest of a template, without evolution. */
function templateManifest(id: TemplateId): SelfPlayRow["manifest"] {
  const { mutation: _mutation, selection_strategy: _selection, ...alone } = builtInTemplate(id).manifest;
  return { ...alone, training: { ...alone.training, hpo: false } } as SelfPlayRow["manifest"];
}

const SOLVED: Judge = {
  against: "solved positions",
  games: 500,
  figure: { name: "best moves in solved positions", unit: "of moves", target: { at_least: 0.75 }, digits: 2 },
  passes: (value) => value >= 0.75,
};

const network = (width: number) => ({
  latent_dim: width,
  encoder_config: { arch: "mlp", hidden_size: [width], layer_norm: false },
  head_config: { hidden_size: [64], layer_norm: false },
});

/** Much entropy and short steps, both less and less: with little entropy or long steps, policies circle. */
const PPO = {
  name: "PPO",
  lr: 1e-3,
  lr_schedule: "cosine",
  lr_final: 0.02,
  learn_step: 4096,
  batch_size: 1024,
  update_epochs: 1,
  ent_coef: 0.2,
  ent_coef_schedule: "cosine",
  ent_coef_final: 0.3,
  gamma: 1,
  gae_lambda: 1,
  share_encoders: false,
} as const;

const exploitable = (at_most: number): Judge => ({
  against: "best response",
  figure: { name: "exploitability", unit: "chips", target: { at_most }, digits: 3 },
  passes: (value) => value <= at_most,
});

const poker = (name: string, max_steps: number) =>
  ({
    algorithm: PPO,
    environment: { name, num_envs: 256 },
    training: { max_steps, evo_steps: 81_920, pop_size: 1, opponents: "self" },
    network: network(64),
  }) as TrainerOptions & { training: object };

const PIG = {
  algorithm: {
    name: "PPO",
    lr: 1e-3,
    lr_schedule: "linear",
    lr_final: 0.02,
    learn_step: 8192,
    batch_size: 1024,
    update_epochs: 4,
    ent_coef: 0.01,
    gamma: 1,
    gae_lambda: 0.95,
    share_encoders: false,
  },
  environment: { name: "rlkit/Pig", num_envs: 256 },
  training: {
    max_steps: 614_400,
    evo_steps: 102_400,
    pop_size: 1,
    opponents: { self: 0.7, "rule:hold_at_20": 0.3 },
  },
  network: network(64),
} as TrainerOptions & { training: object };

export const selfPlayRows: readonly SelfPlayRow[] = [
  {
    name: "tictactoe-ppo",
    title: "TicTacToe by PPO and self-play",
    game: "rlkit/TicTacToe",
    manifest: templateManifest("ppo-tictactoe"),
    judges: NEVER_LOSES,
    must_pass: 5,
  },
  {
    name: "tictactoe-dqn",
    title: "TicTacToe by DQN and self-play",
    game: "rlkit/TicTacToe",
    manifest: templateManifest("dqn-tictactoe"),
    judges: NEVER_LOSES,
    must_pass: 5,
  },
  {
    name: "kuhn-ppo",
    title: "Kuhn poker by PPO and self-play",
    game: "rlkit/KuhnPoker",
    manifest: poker("rlkit/KuhnPoker", 3_000_000),
    judges: [exploitable(0.02)],
    must_pass: 4,
  },
  {
    name: "leduc-ppo",
    title: "Leduc poker by PPO and self-play",
    game: "rlkit/LeducPoker",
    manifest: poker("rlkit/LeducPoker", 4_000_000),
    judges: [exploitable(0.3)],
    must_pass: 4,
  },
  {
    name: "pig-ppo",
    title: "Pig by PPO and self-play",
    game: "rlkit/Pig",
    manifest: PIG,
    judges: [
      {
        against: "hold at 20",
        figure: {
          name: "games won against the rule that holds at 20",
          unit: "of games",
          target: { at_least: 0.5 },
          digits: 3,
        },
        passes: (value) => value >= 0.5,
      },
      {
        against: "best play of Pig",
        figure: { name: "games won against the best play", unit: "of games", digits: 3 },
        passes: () => true,
      },
    ],
    must_pass: 4,
  },
  {
    name: "connect-four-ppo",
    title: "Connect Four by a league of PPO",
    game: "rlkit/ConnectFour",
    manifest: templateManifest("league-connect-four"),
    judges: [pointsOf("random", 0.99), pointsOf("one step", 0.85), pointsOf("minimax 4", 0.5, 100)],
    must_pass: 4,
  },
  {
    name: "connectfour-alphazero",
    title: "Connect Four by AlphaZero, 32 simulations at play",
    game: "rlkit/ConnectFour",
    manifest: {
      algorithm: {
        name: "AlphaZero",
        lr: 0.002,
        lr_schedule: "linear",
        lr_final: 0.1,
        learn_step: 4096,
        batch_size: 256,
        update_epochs: 6,
        replay_size: 65_536,
        sampled_moves: 42,
      },
      environment: { name: "rlkit/ConnectFour", num_envs: 128 },
      training: { max_steps: 1_572_864, evo_steps: 131_072, pop_size: 1 },
      network: network(128),
    } as SelfPlayRow["manifest"],
    simulations: 32,
    judges: [pointsOf("minimax 6", 0.6, 100), SOLVED],
    must_pass: 1,
  },
];
