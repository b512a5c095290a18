/** Runs in games of two players: whom members meet, and what a manifest must not ask for there. */
import type { TrainingManifest } from "../../manifests/index.ts";
import { type CompiledEnvironment, isCompiled, listEnvironments } from "../../rl/environments.ts";
import { dottedPath, type SpecIssue } from "../../specs/checks.ts";
import { opponentWeights, TrainingSpec } from "../../specs/sections.ts";
import type { OpponentsPlan } from "../rl/kinds.ts";
import { environmentOf } from "./environmentOf.ts";

/** The game of a manifest; null for other environments. */
function gameIn(manifest: TrainingManifest): CompiledEnvironment | null {
  // A caller's own environment, a user's module and a bandit's table are none.
  if (!listEnvironments().includes(manifest.environment.name)) return null;
  const environment = environmentOf(manifest);
  return isCompiled(environment) && environment.game ? environment : null;
}

/** Whether all that happens in a game is decided by its players. */
const isWithoutChance = ({ resetDraws, stepDraws }: CompiledEnvironment): boolean =>
  resetDraws + stepDraws === 0;

/** The algorithm that searches the trees of games without chance, and plays itself alone. */
const SEARCHES = "AlphaZero";

/** Algorithms that play games: those of discrete actions that respect masks. */
const PLAYERS: readonly string[] = ["DQN", "RainbowDQN", "PPO", SEARCHES];

/** How the members of a game meet opponents. */
export function opponentsPlan(manifest: TrainingManifest): { readonly opponents?: OpponentsPlan } {
  const game = gameIn(manifest);
  if (!game) return {};
  const { opponents, opponent_pool, opponent_interval, opening_moves, symmetries } = manifest.training;
  const looksAhead = isWithoutChance(game);
  const weights = manifest.algorithm.name === SEARCHES ? {} : opponentWeights(opponents);
  const { "rule:one_step": _rule, ...others } = weights;
  return {
    opponents: {
      weights: looksAhead ? weights : others,
      pool_size: opponent_pool,
      pool_interval: opponent_interval,
      anchors: looksAhead ? ["random", "one_step"] : ["random"],
      ...((opening_moves > 0 || symmetries) && { games: { opening_moves, symmetries } }),
      win: game.game?.rules.max_return ?? 1,
    },
  };
}

/** Settings of games, and of those only that are played against opponents. */
const OPPONENT_FIELDS = ["opponents", "opening_moves", "symmetries"] as const;
const FIELDS = [...OPPONENT_FIELDS, "opponent_pool", "opponent_interval"] as const;

/** Warnings about settings of opponents that have no effect. */
export function opponentWarnings(manifest: TrainingManifest): string[] {
  const { training, algorithm, environment } = manifest;
  const defaults = TrainingSpec.parse({});
  const isGame = gameIn(manifest) !== null;
  if (isGame && algorithm.name !== SEARCHES) return [];
  const why = isGame ? `${algorithm.name} plays itself` : `${environment.name} is no game of two players`;
  return (isGame ? OPPONENT_FIELDS : FIELDS)
    .filter((field) => training[field] !== defaults[field])
    .map((field) => `training.${field} has no effect: ${why}`);
}

/** Issues of a manifest's settings in a game, and of an algorithm that needs one. */
export function gameIssues(manifest: TrainingManifest): readonly SpecIssue[] {
  const game = gameIn(manifest);
  const { algorithm, environment, training } = manifest;
  const faults: (readonly [isFault: boolean, path: string, message: string])[] = [
    [
      algorithm.name === SEARCHES && !(game && isWithoutChance(game)),
      "environment.name",
      `found "${environment.name}", allowed with ${SEARCHES}: games of two players without chance, such as rlkit/ConnectFour`,
    ],
  ];
  if (game) {
    const { normalize = null } = environment as { readonly normalize?: unknown };
    const { opponents } = training;
    const names = typeof opponents === "string" ? [opponents] : Object.keys(opponents ?? {});
    faults.push(
      [
        !Number.isFinite(game.game?.rules.moves_in_a_row ?? 1),
        "environment.name",
        `found ${game.id}, where a player can move any number of times in a row; allowed in training: games whose opponents answer with few moves`,
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
        names.includes("rule:one_step") && !isWithoutChance(game),
        "training.opponents",
        `found rule:one_step, which looks one move ahead and so needs a game without chance; ${game.id} has chance`,
      ],
    );
  }
  return faults.flatMap(([isFault, path, message]) => {
    const segments = path.split(".");
    return isFault ? [{ code: "rule" as const, path: dottedPath(segments), segments, message }] : [];
  });
}
