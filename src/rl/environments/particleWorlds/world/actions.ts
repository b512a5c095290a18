/** Actions of particle worlds: agents move, communicate, or both. */
import {
  add,
  cast,
  column,
  concat,
  type Dim,
  equal,
  floor,
  iota,
  mul,
  reshape,
  slice,
  sub,
  type Tensor,
  zeros,
} from "../../../../kernels/index.ts";
import { Agents, Box, Discrete } from "../../../spaces.ts";
import { table } from "./motion.ts";
import { joined, type ParticleAgent, type WorldFacts, wordsOf } from "./Scene.ts";

/** Number of moves: none, left, right, down, up. */
const MOVES = 5;
/** Default force of a full push. */
const PUSH = 5;

const movesOf = ({ fixed = false }: ParticleAgent): number => (fixed ? 0 : MOVES);

/**
 * The agents' action spaces: 5 moves, words, or both. Discrete actions enumerate all pairs of a move and a
 * word, with the move varying fastest. Continuous actions are numbers in [0, 1], moves before words.
 */
export const actionSpace = ({ agents }: WorldFacts, continuous: boolean): Agents =>
  new Agents(
    Object.fromEntries(
      agents.map((agent) => {
        const [moves, words] = [movesOf(agent), wordsOf(agent)];
        if (continuous) return [agent.id, new Box({ low: 0, high: 1, shape: [moves + words] })];
        return [agent.id, new Discrete(Math.max(1, moves) * Math.max(1, words))];
      }),
    ),
  );

/** What all agents do in a step. */
export interface Deeds {
  /** Forces of the agents' own moves, f32 [num_envs, agents, 2]. */
  readonly push: Tensor;
  /** Words of each agent, f32 [num_envs, words]. */
  readonly said: readonly Tensor[];
}

/** Forces towards +x and +y. `share`: the share of a move, [num_envs, agents, 1]; opposite moves cancel. */
function pushOf({ agents }: WorldFacts, share: (move: number) => Tensor): Tensor {
  const force = table(agents.map(({ push = PUSH }) => push));
  return mul(concat([sub(share(2), share(1)), sub(share(4), share(3))]), force);
}

/** Deeds of discrete actions. `action`: one choice per agent, as f32 [num_envs, agents]. */
function chosen(facts: WorldFacts, action: Tensor): Deeds {
  const { agents } = facts;
  const n = action.shape[0] as Dim;
  // Adds half a choice, because devices may round quotients.
  const pair = floor(mul(add(action, 0.5), 1 / MOVES));
  const move = reshape(sub(action, mul(pair, MOVES)), [n, agents.length, 1]);
  return {
    push: pushOf(facts, (way) => cast(equal(move, way), "f32")),
    said: agents.map((agent, i) => {
      const words = wordsOf(agent);
      if (words === 0) return zeros([n, 0]);
      const word = reshape(column(agent.fixed ? action : pair, i), [n, 1]);
      return cast(equal(word, cast(iota(words), "f32")), "f32");
    }),
  };
}

/** Deeds of continuous actions. `action`: the numbers of all agents, f32 [num_envs, numbers]. */
function steered(facts: WorldFacts, space: Agents, action: Tensor): Deeds {
  const { agents } = facts;
  const n = action.shape[0] as Dim;
  const moves = agents.map((agent, i) =>
    agent.fixed ? zeros([n, MOVES]) : slice(action, space.agents[i]?.start ?? 0, MOVES),
  );
  const silent = agents.every((agent) => wordsOf(agent) === 0);
  const five = reshape(silent ? action : joined(moves), [n, agents.length, MOVES]);
  return {
    push: pushOf(facts, (way) => slice(five, way, 1)),
    said: agents.map((agent, i) =>
      slice(action, (space.agents[i]?.start ?? 0) + movesOf(agent), wordsOf(agent)),
    ),
  };
}

/** Deeds of a joint action, f32 [num_envs, numbers of all agents]. */
export const deedsOf = (facts: WorldFacts, space: Agents, action: Tensor): Deeds =>
  space.agents.every((agent) => agent.space.kind === "Discrete")
    ? chosen(facts, action)
    : steered(facts, space, action);
