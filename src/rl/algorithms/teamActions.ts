/** How several agents act: sampled choices, numbers with noise. Rows are those of contract/team.ts. */
import {
  add,
  cast,
  clip,
  concat,
  type Dim,
  mulDims,
  reshape,
  select,
  slice,
  stackColumns,
  type Tensor,
} from "../../kernels/index.ts";
import { type Hyperparameters, normals } from "../contract/inputs.ts";
import { type Network, type Networks, networkNamed } from "../contract/network.ts";
import type { Exploration } from "../contract/offPolicy.ts";
import { joint, keysOf, memberOf, rowsOf, type TeamKey, teamOf } from "../contract/team.ts";
import type { NetworkSettings } from "../networks/buildNetworks.ts";
import { deterministicActor, type NetworkData, stochasticActor } from "../networks/index.ts";
import { type AgentSpaces, flatSize, type Space } from "../spaces.ts";
import { policyOf } from "./actionDistribution.ts";
import { toBounds } from "./boxActions.ts";
import { endDrift, evenActions, noiseOf, outputRange } from "./continuousControl.ts";

/** Sizes of the choices in an agent's action; empty for bits and numbers. */
export const choicesIn = (space: Space): readonly number[] =>
  space.kind === "Discrete" ? [space.n] : space.kind === "MultiDiscrete" ? space.nvec : [];

/** How many uniform numbers are needed to sample an action of choices or bits; 0 for numbers. */
export const choiceDraws = (space: Space): number =>
  space.kind === "MultiBinary" ? flatSize(space) : choicesIn(space).length;

/** How many numbers a continuous action has; 0 for other actions. */
const numbersIn = (space: Space): number => (space.kind === "Box" ? space.low.length : 0);

/** An actor network from an observation to logits of choices, or to bounded numbers. */
export const teamActor = (
  { observation_space, action_space }: Pick<TeamKey, "observation_space" | "action_space">,
  network: NetworkSettings,
): NetworkData =>
  action_space.kind === "Box"
    ? deterministicActor(observation_space, action_space, network)
    : stochasticActor(observation_space, action_space, network);

/** The network of a family for a key. */
export const networkFor = (networks: Networks, family: string, { key }: Pick<TeamKey, "key">): Network =>
  networkNamed(networks, memberOf(family, key));

/** Combines one vector [n] per agent of a key to a vector for the key's rows [n agents]. */
export function forRows({ agents }: TeamKey, vectors: readonly Tensor[]): Tensor[] {
  const g = agents.length;
  return Array.from({ length: vectors.length / g }, (_, i) => {
    const side = stackColumns(vectors.slice(i * g, (i + 1) * g));
    return reshape(side, [mulDims(side.shape[0] as Dim, g)]);
  });
}

/** Returns a function that hands out consecutive vectors, so that no vector is used twice. */
export function dealer(vectors: readonly Tensor[]): (count: number) => readonly Tensor[] {
  let at = 0;
  return (count) => vectors.slice(at, (at += count));
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0);
/** Sum over all agents of a team. */
const ofAll = (team: readonly TeamKey[], of: (space: Space) => number): number =>
  total(team.map(({ agents, action_space }) => agents.length * of(action_space)));

/** Converts sampled actions to f32; choices are sampled as i32. */
export const asNumbers = (choice: Tensor): Tensor => (choice.dtype === "f32" ? choice : cast(choice, "f32"));

/** Joint actions of a family's actors: `choose` picks choices, `number` converts continuous actions. */
export function jointActions(
  team: readonly TeamKey[],
  [networks, family]: readonly [networks: Networks, family: string],
  obs: Tensor,
  of: {
    readonly choose: (policy: ReturnType<typeof policyOf>, key: TeamKey) => Tensor;
    readonly number: (action: Tensor, actor: Network, key: TeamKey) => Tensor;
    readonly mask?: Tensor | undefined;
  },
): Tensor {
  return joint(team, (key) => {
    const actor = networkFor(networks, family, key);
    const seen = rowsOf(key, obs, (mate) => mate.obs);
    if (key.action_space.kind === "Box") return of.number(actor.forward(seen), actor, key);
    const mask = of.mask && rowsOf(key, of.mask, (mate) => mate.mask);
    return asNumbers(of.choose(policyOf(actor, actor.encode(seen), mask), key));
  });
}

/**
 * Actions that explore. Choices are sampled from the policy's distribution over legal choices. Numbers have
 * noise, within the actor's range, or are uniform over it while learning waits for its first transitions.
 */
export function teamExplored(
  networks: Networks,
  obs: Tensor,
  { draws, waiting, begins, mask, spaces }: Exploration,
  hyperparameters: Hyperparameters,
): Tensor {
  const team = teamOf(spaces);
  const numbers = ofAll(team, numbersIn);
  const normal = numbers + (numbers % 2);
  const deal = dealer(draws(ofAll(team, choiceDraws) + normal + numbers));
  const drawn = numbers === 0 ? [] : normals(() => deal(normal), numbers);
  const noise = numbers === 0 ? null : noiseOf(stackColumns(drawn), begins, hyperparameters);
  let place = 0;
  return jointActions(team, [networks, "actors"], obs, {
    mask,
    choose: (policy, key) => policy.sample((count) => forRows(key, deal(count * key.agents.length))),
    number: (action, actor, key) => {
      const size = numbersIn(key.action_space);
      const own = size * key.agents.length;
      // Noise is ordered by key. All of it has the same distribution, so the order does not matter.
      const noisy = slice(noise as Tensor, place, own);
      place += own;
      const range = outputRange(actor.data);
      const even = evenActions(forRows(key, deal(own)), range);
      return select(waiting, even, clip(add(action, reshape(noisy, action.shape)), ...range));
    },
  });
}

/** Resets Ornstein-Uhlenbeck noise in lanes whose episode ended. */
export function teamEnded(done: Tensor, action_space: Space, hyperparameters: Hyperparameters): void {
  if (action_space.kind !== "Agents") return;
  const numbers = total(action_space.agents.map(({ space }) => numbersIn(space)));
  if (numbers > 0) endDrift(done, numbers, hyperparameters);
}

/** Greedy joint actions: the best legal choices, and numbers without noise. */
export const teamGreedy = (
  networks: Networks,
  obs: Tensor,
  mask: Tensor | undefined,
  spaces: AgentSpaces,
): Tensor =>
  jointActions(teamOf(spaces), [networks, "actors"], obs, {
    mask,
    choose: (policy) => policy.mode(),
    number: (action) => action,
  });

/** Converts joint actions for the environment: renumbers choices, scales and rounds numbers. */
export function teamApplied(networks: Networks, action: Tensor, space: Space): Tensor {
  if (space.kind !== "Agents") throw new TypeError(`action_space: found ${space.kind}, allowed Agents`);
  const keyOf = new Map([...keysOf(space.ids)].flatMap(([key, ids]) => ids.map((id) => [id, key])));
  const parts = space.agents.map(({ id, space: own, start, size }) => {
    const numbers = slice(action, start, size);
    if (own.kind === "Discrete") return own.start === 0 ? numbers : add(numbers, own.start);
    if (own.kind !== "Box") return numbers;
    const { data } = networkFor(networks, "actors", { key: keyOf.get(id) ?? id });
    return toBounds(numbers, outputRange(data), own, data);
  });
  return parts.length === 1 ? (parts[0] as Tensor) : concat(parts);
}
