import type { RuleOpponent } from "../../agents/classes.ts";
import { Random } from "../../evolution/random.ts";
import { hostKey } from "../../kernels/functions.ts";
import {
  chanceMove,
  type GameRules,
  type GameState,
  isChance,
  oneStepRule,
  randomMove,
} from "../../rl/environments.ts";
import type { Actor } from "./recordEpisodes.ts";

/** Chooses a legal move where a player has the turn. */
export type GamePlayer = (rules: GameRules, state: GameState, random: Random) => number;

/** Players by the names of opponents. */
export const RULE_PLAYERS: Readonly<Record<RuleOpponent, GamePlayer>> = {
  random: (rules, state, random) => randomMove(rules, state, () => random.uniform()),
  "rule:one_step": oneStepRule,
  "rule:follow": byOwnRule,
  "rule:hold_at_20": byOwnRule,
};

function byOwnRule({ id, own_rule }: GameRules, state: GameState): number {
  if (!own_rule) throw new TypeError(`${id}: has no rule of its own`);
  return own_rule.move(state);
}

/** The player that an agent is. */
export const actorPlayer =
  (actor: Actor): GamePlayer =>
  (rules, state) => {
    const legal = rules.legal(state);
    const action_mask = Array.from({ length: rules.action_space.n }, (_, i) => Number(legal.includes(i)));
    const seen = Float32Array.from(rules.observe(state, rules.player(state)));
    return Number(actor.getAction(seen, { training: false, info: { action_mask } }));
  };

interface RecordOptions {
  readonly rules: GameRules;
  /** The players, who have the first move in turn (default: random moves). */
  readonly players?: readonly GamePlayer[];
  /** Moves of players; the last game may stop before its end (default: no limit). */
  readonly steps?: number;
  /** Games to play (default: no limit). */
  readonly games?: number;
  /** Probability of a random move (default: 0). */
  readonly epsilon?: number;
  readonly seed: number;
}

/**
 * Records games: actions and outcomes of chance from the start of each. The same seed gives the same games. One of `steps` and
 * `games` must be given.
 */
export function recordGames(options: RecordOptions): number[][] {
  const { rules, players = [RULE_PLAYERS.random], epsilon = 0, seed } = options;
  const { steps = Number.POSITIVE_INFINITY, games: most = Number.POSITIVE_INFINITY } = options;
  const games: number[][] = [];
  for (let left = steps; left > 0 && games.length < most; ) {
    const random = new Random({ seed: hostKey(seed, games.length)[0], stream: "games" });
    const uniform = (): number => random.uniform();
    const moves: number[] = [];
    let state = rules.start;
    for (let made = 0; left > 0 && made < rules.max_moves && rules.returns(state) === null; ) {
      const isPlayer = !isChance(rules, state);
      const who = players[(rules.player(state) + games.length) % players.length] ?? RULE_PLAYERS.random;
      const chooses = isPlayer && who !== RULE_PLAYERS.random && uniform() >= epsilon;
      const move = !isPlayer
        ? chanceMove(rules, state, uniform)
        : (chooses ? who : RULE_PLAYERS.random)(rules, state, random);
      moves.push(move);
      state = rules.next(state, move);
      made += Number(isPlayer);
      left -= Number(isPlayer);
    }
    games.push(moves);
  }
  return games;
}
