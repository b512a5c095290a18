import { type Dim, greater, max, reshape, select, type Tensor } from "../../../kernels/index.ts";
import type { Appearance } from "../definition/Appearance.ts";
import type { CompiledEnvironment, EnvState } from "../definition/compiledEnvironment.ts";
import { type RandomEnvironmentDefinition, randomEnvironment } from "../definition/randomEnvironment.ts";
import type { GameRules } from "../face/GameRules.ts";

type Known<Variable extends string> = Readonly<Record<Variable | "mover", Tensor>>;

/** A game of two players as tensors: all lanes take one move together. */
export interface CompiledGameDefinition<Variable extends string>
  extends Pick<RandomEnvironmentDefinition<Variable>, "variableShapes" | "resetDraws" | "stepDraws">,
    Appearance {
  readonly rules: GameRules;
  /** State variables in order. The index of the player whose turn it is, `mover` (0 or 1), follows them. */
  readonly variables: readonly Variable[];
  /** First states, at a player's turn. */
  readonly reset: (draws: readonly Tensor[], num_envs: Dim) => Known<Variable>;
  /** What the player whose turn it is sees, f32 [n, ...observation shape]. */
  readonly observe: (state: Known<Variable>) => Tensor;
  /** 1 for legal actions, f32 [n, actions]; at least one while a game runs, of an ended one any. */
  readonly legal: (state: Known<Variable>) => Tensor;
  /** As `own_rule` of the rules, i32 [n] (default: the game has none). */
  readonly own_rule?: (state: Known<Variable>) => Tensor;
  /**
   * The next state at a player's turn. `reward` is that of the player who moved; the other player gets the opposite, so a
   * loss that a player's own move brings is a negative reward.
   */
  readonly step: (
    state: Known<Variable>,
    action: Tensor,
    draws: readonly Tensor[],
  ) => { readonly state: Known<Variable>; readonly reward: Tensor; readonly terminated: Tensor };
}

/**
 * Makes a game of two players, in which one wins what the other loses, from its rules and the same rules as tensors. In
 * the environment, the player whose turn it is observes and acts, and the reward is that of the player who moved.
 *
 * @throws RangeError when the game has not two players.
 */
export function compiledGame<Variable extends string>(
  definition: CompiledGameDefinition<Variable>,
): CompiledEnvironment {
  const { rules, variables, legal, own_rule, ...facts } = definition;
  const { id, players, observation_space, action_space, max_moves } = rules;
  if (players.length !== 2)
    throw new RangeError(`${id}: found ${players.length} players, allowed 2 in compiled games`);
  const made = randomEnvironment<Variable | "mover">({
    ...facts,
    id,
    observation_space,
    action_space,
    max_episode_steps: max_moves,
    reward_threshold: null,
    variables: [...variables, "mover"],
    variableShapes: facts.variableShapes as Readonly<Partial<Record<Variable | "mover", readonly number[]>>>,
    actionMask: (state) => {
      const mask = legal(state);
      // Values of an ended game are not used, but a maximum over no choice would be -infinity.
      return select(greater(reshape(max(mask), [mask.shape[0] as Dim, 1]), 0), mask, 1);
    },
  });
  const simple = own_rule && { own_rule: (state: EnvState) => own_rule(state as Known<Variable>) };
  return { ...made, game: { rules, mover: ({ mover }) => mover as Tensor, ...simple } };
}
