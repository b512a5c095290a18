/** PPO for the agents of one key, from joint rows. */
import {
  add,
  cast,
  column,
  type Dim,
  div,
  greater,
  maximum,
  mul,
  mulDims,
  ones,
  reshape,
  select,
  sqrt,
  square,
  sub,
  sumAll,
  type Tensor,
} from "../../kernels/index.ts";
import type { Latents, Networks } from "../contract/network.ts";
import type { RolloutBatch } from "../contract/onPolicy.ts";
import { memberOf, numbersOf, rowsOf, type TeamKey } from "../contract/team.ts";
import { flatSize, type Space } from "../spaces.ts";
import { PPO } from "./PPO.ts";
import { choiceDraws, networkFor } from "./teamActions.ts";

/** Networks and latent vectors of a key, under PPO's names. */
export const ofKey = <N extends string>(key: TeamKey, networks: Networks<N>, latents: Latents<N>) =>
  [
    {
      actor: networkFor(networks, "actors", key),
      // A getter, because programs that only act have no critics.
      get critic() {
        return networkFor(networks, "critics", key);
      },
    },
    // The name consists of a family in the definition and a key, so it is one of N.
    (name: string) => latents(memberOf(`${name}s`, key.key) as N),
  ] as const;

/** How many uniform vectors one agent's action needs. */
export function drawsOf(space: Space): number {
  const size = flatSize(space);
  return space.kind === "Box" ? size + (size % 2) : choiceDraws(space);
}

/** Rows of a mask for a key; undefined for continuous actions. */
export const maskOf = (key: TeamKey, mask: Tensor | undefined): Tensor | undefined =>
  key.action_space.kind === "Box" ? undefined : mask && rowsOf(key, mask, (mate) => mate.mask);

/** A key's actions from joint rows, in PPO's form: choices as integers. */
export function actionsOf(key: TeamKey, action: Tensor): Tensor {
  const rows = rowsOf(key, action, (mate) => mate.action);
  if (key.action_space.kind === "Box") return rows;
  return cast(key.action_space.kind === "Discrete" ? column(rows, 0) : rows, "i32");
}

/** Repeats a number of each step [n] for each of the key's agents [n agents]. */
export function repeated({ agents }: TeamKey, each: Tensor): Tensor {
  const n = each.shape[0] as Dim;
  return reshape(mul(reshape(each, [n, 1]), ones([1, agents.length])), [mulDims(n, agents.length)]);
}

/** Normalises to mean 0 and standard deviation 1 over the rows that count (unbiased variance). */
export function normalised(x: Tensor, weight: Tensor): Tensor {
  const count = maximum(sumAll(weight), 2);
  const centred = sub(x, div(sumAll(mul(x, weight)), count));
  const variance = div(sumAll(mul(square(centred), weight)), sub(count, 1));
  return div(centred, add(sqrt(variance), 1e-8));
}

/** PPO's learning step over a key's rows of agents that had not left, and the share of these rows. */
export function learnKey(key: TeamKey, networks: Networks, batch: RolloutBatch) {
  const { latents, mask, present, weight } = batch;
  const counts = repeated(key, weight);
  const own = present ? mul(counts, numbersOf(key, present)) : counts;
  const [ppo, ownLatents] = ofKey(key, networks, latents);
  const legal = maskOf(key, mask);
  const learned = PPO.learn(
    ppo,
    {
      latents: ownLatents,
      action: actionsOf(key, batch.action),
      log_prob: numbersOf(key, batch.log_prob),
      advantage: numbersOf(key, batch.advantage),
      returns: numbersOf(key, batch.returns),
      // A slice of a minibatch may have no row of the key. Any weights will do then, because `share` is 0.
      weight: select(greater(sumAll(own), 0), own, 1),
      ...(legal && { mask: legal }),
    },
    {},
    {},
    key,
  );
  const share = div(sumAll(own), sumAll(counts));
  return { learned, share };
}
