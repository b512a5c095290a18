/** Runs in games of two players: whom members meet, and what a manifest must not ask for there. */
import type { TrainingManifest } from "../../manifests/index.ts";
import { type GameRules, isCompiled, listEnvironments } from "../../rl/environments.ts";
import { FRAME_STACK } from "../../rl/faces.ts";
import { lacksRule, RULES, type RuleName, unsearchable } from "../../rl/programs.ts";
import { dottedPath, type SpecIssue } from "../../specs/checks.ts";
import { namedOpponents, opponentStages, TrainingSpec } from "../../specs/sections.ts";
import type { OpponentsPlan } from "../rl/kinds.ts";
import { envConfigOf, environmentOf, userEnvironmentOf } from "./environmentOf.ts";

/** What of a game its runs depend on. */
interface Game {
  readonly id: string;
  /** Null for a game in code. */
  readonly rules: GameRules | null;
  readonly players: number;
  /** Whether it has no such rule to play against. */
  readonly lacks: (rule: RuleName) => boolean;
  /** What keeps players from looking ahead; null if nothing does. */
  readonly hinders: string | null;
}

/** The game of a manifest; null for other environments. */
function gameIn(manifest: TrainingManifest): Game | null {
  const user = userEnvironmentOf(manifest);
  if (user) {
    const { id, players, saves } = user;
    const hinders = saves ? null : "is a game in code without save() and load(state), which copy positions";
    return (
      players && { id, rules: null, players: players.length, lacks: (rule) => rule !== "random", hinders }
    );
  }
  // A caller's own environment and a bandit's table are none.
  if (!listEnvironments().includes(manifest.environment.name)) return null;
  const environment = environmentOf(manifest);
  if (!isCompiled(environment) || !environment.game) return null;
  const { id, game } = environment;
  const { rules } = game;
  return {
    id,
    rules,
    players: rules.players.length,
    lacks: (rule) => lacksRule(environment, rule),
    hinders: unsearchable(environment),
  };
}

/** Why a game has no tensor program that looks ahead; null if it has one. */
const untraced = ({ rules, hinders }: Game): string | null => (rules ? hinders : "is a game in code");

/** Whether a game has no such rule to play against; names of other opponents are no rules. */
const lacks = (game: Game, name: string): boolean =>
  RULES.some((rule) => name === `rule:${rule}` && game.lacks(rule));

/** The algorithm that searches the trees of games without chance, and plays itself alone. */
const SEARCHES = "AlphaZero";

/** Algorithms that learn from records of games alone. */
const READERS: readonly string[] = ["BC", "CQN"];

/** Algorithms that play games: those of discrete actions that respect masks. */
const PLAYERS: readonly string[] = ["DQN", "RainbowDQN", "PPO", SEARCHES, ...READERS];

/** Why an algorithm meets no opponents while it trains; null if it does. */
const withoutOpponents = (algorithm: string): string | null =>
  algorithm === SEARCHES ? "plays itself" : READERS.includes(algorithm) ? "learns from records" : null;

/** How the members of a game meet opponents. */
export function opponentsPlan(manifest: TrainingManifest): { readonly opponents?: OpponentsPlan } {
  const game = gameIn(manifest);
  if (!game) return {};
  const { opponents, opponent_pool, opponent_interval, opening_moves, search, symmetries } =
    manifest.training;
  const { rules } = game;
  const isAlone = withoutOpponents(manifest.algorithm.name) !== null;
  const stages = opponentStages(isAlone ? null : opponents).map(({ weights, until }) => {
    const known = Object.entries(weights).filter(([name]) => !lacks(game, name));
    return { weights: isAlone ? {} : Object.fromEntries(known), until };
  });
  return {
    opponents: {
      stages,
      pool_size: opponent_pool,
      pool_interval: opponent_interval,
      anchors: RULES.filter((rule) => !game.lacks(rule)),
      ...((opening_moves > 0 || symmetries) && { games: { opening_moves, symmetries } }),
      win: rules?.max_return ?? 1,
      ...(search && { search }),
    },
  };
}

/** Settings of games, and of those only that are played against opponents. */
const OPPONENT_FIELDS = ["opponents", "opening_moves", "symmetries"] as const;
const FIELDS = [...OPPONENT_FIELDS, "opponent_pool", "opponent_interval", "search"] as const;

/** Warnings about settings of opponents that have no effect. */
export function opponentWarnings(manifest: TrainingManifest): string[] {
  const { training, algorithm, environment } = manifest;
  const defaults = TrainingSpec.parse({});
  const isGame = gameIn(manifest) !== null;
  const alone = withoutOpponents(algorithm.name);
  if (isGame && alone === null) return [];
  const why = isGame ? `${algorithm.name} ${alone}` : `${environment.name} is no game of two players`;
  return (isGame ? OPPONENT_FIELDS : FIELDS)
    .filter((field) => training[field] !== defaults[field])
    .map((field) => `training.${field} has no effect: ${why}`);
}

/** Simple players, and the games that have them. */
const OWN_RULES = [
  ["rule:follow", "rlkit/Rally"],
  ["rule:hold_at_20", "rlkit/Pig"],
] as const;

type Fault = readonly [isFault: boolean, path: string, message: string];

/** Issues of a manifest's settings in a game, and of an algorithm that needs one. */
export function gameIssues(manifest: TrainingManifest): readonly SpecIssue[] {
  const game = gameIn(manifest);
  const { algorithm, environment, training } = manifest;
  const faults: Fault[] = [
    [
      algorithm.name === SEARCHES && (!game || untraced(game) !== null),
      "environment.name",
      `found "${environment.name}", allowed with ${SEARCHES}: rlkit's games of two players without chance, such as rlkit/ConnectFour`,
    ],
  ];
  if (game) {
    const { normalize = null } = environment as { readonly normalize?: unknown };
    const named = namedOpponents(training.opponents);
    faults.push(
      [
        game.players !== 2,
        "environment.path",
        `found a game of ${game.players} players, allowed in training: games of two players, in which one wins what the other loses`,
      ],
      [
        !PLAYERS.includes(algorithm.name),
        "algorithm.name",
        `found "${algorithm.name}", allowed in games: ${PLAYERS.join(", ")}, which choose among legal moves`,
      ],
      [
        "recurrent" in algorithm && algorithm.recurrent === true,
        "algorithm.recurrent",
        "found true, allowed in games: false; opponents have no memory",
      ],
      [
        environment.num_envs % 2 !== 0,
        "environment.num_envs",
        `found ${environment.num_envs}, allowed in games: even numbers, so that the first move is shared fairly`,
      ],
      [
        normalize !== null,
        "environment.normalize",
        "found settings, allowed in games: none; observations are 0 or 1, and opponents have no statistics",
      ],
      [
        envConfigOf(manifest)?.[FRAME_STACK] !== undefined,
        "environment.frame_stack",
        "found a stack of frames, allowed in games: none; it would mix what both players see",
      ],
      [
        named.includes("rule:one_step") && lacks(game, "rule:one_step"),
        "training.opponents",
        `found rule:one_step, which looks one move ahead and so needs a game of rlkit's without chance; ${game.id} ${untraced(game)}`,
      ],
      ...OWN_RULES.map(
        ([rule, owner]): Fault => [
          named.includes(rule) && lacks(game, rule),
          "training.opponents",
          `found ${rule}, a player of ${owner}; ${game.id} has no such rule`,
        ],
      ),
      [
        training.search !== null && game.hinders !== null,
        "training.search",
        `found settings of a search, allowed: rlkit's games without chance, and games in code with save() and load(state); ${game.id} ${game.hinders}`,
      ],
    );
  }
  return faults.flatMap(([isFault, path, message]) => {
    const segments = path.split(".");
    return isFault ? [{ code: "rule" as const, path: dottedPath(segments), segments, message }] : [];
  });
}
