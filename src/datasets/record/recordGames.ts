import { Random } from "../../evolution/random.ts";
import { hostKey } from "../../kernels/functions.ts";
import { chanceMove, type GameRules, isChance, randomMove } from "../../rl/environments.ts";
import type { Actor } from "./recordEpisodes.ts";

interface RecordOptions {
  readonly rules: GameRules;
  /** Plays for all players; `null` moves at random. */
  readonly actor: Actor | null;
  /** Moves of players; the last game may stop before its end. */
  readonly steps: number;
  /** Probability of a random move (default: 0). */
  readonly epsilon?: number;
  readonly seed: number;
}

/**
 * Records games with `steps` moves of players in total: actions and outcomes of chance from the start of each. The same seed
 * gives the same games.
 */
export function recordGames({ rules, actor, steps, epsilon = 0, seed }: RecordOptions): number[][] {
  const games: number[][] = [];
  for (let left = steps; left > 0; ) {
    const random = new Random({ seed: hostKey(seed, games.length)[0], stream: "games" });
    const uniform = (): number => random.uniform();
    const moves: number[] = [];
    let state = rules.start;
    for (let made = 0; left > 0 && made < rules.max_moves && rules.returns(state) === null; ) {
      const player = rules.player(state);
      const isPlayer = !isChance(rules, state);
      const legal = rules.legal(state);
      const action_mask = Array.from({ length: rules.action_space.n }, (_, i) => Number(legal.includes(i)));
      const move = !isPlayer
        ? chanceMove(rules, state, uniform)
        : actor !== null && uniform() >= epsilon
          ? Number(
              actor.getAction(Float32Array.from(rules.observe(state, player)), {
                training: false,
                info: { action_mask },
              }),
            )
          : randomMove(rules, state, uniform);
      moves.push(move);
      state = rules.next(state, move);
      made += Number(isPlayer);
      left -= Number(isPlayer);
    }
    games.push(moves);
  }
  return games;
}
