import {
  add,
  broadcastTo,
  cast,
  clip,
  column,
  concat,
  type Dim,
  equal,
  neg,
  reshape,
  select,
  square,
  sub,
  type Tensor,
  zeros,
} from "../../../kernels/index.ts";
import { Box, Dict, Discrete, type Space } from "../../spaces.ts";
import type { CompiledEnvironment } from "../definition/compiledEnvironment.ts";
import { randomEnvironment } from "../definition/randomEnvironment.ts";
import { drawInteger, pick } from "../dynamics/numbers.ts";
import type { ProbeChoice, ProbeDefinition, ProbeSituation } from "./probeDefinitions.ts";

/** Form of a probe's observation: an index, an image of uniform brightness, or both. */
export type ProbeObservation = "vector" | "image" | "mixed";
export type ProbeAction = "discrete" | "continuous";

/** [channels, height, width] of a probe's image. */
export const PROBE_IMAGE = [1, 3, 3] as const;
const PIXELS = 9;

/** Probes terminate within two steps; the limit only bounds the cost of a mistake. */
const MAX_STEPS = 10;

/** `rlkit/<name>[-image|-mixed][-continuous]-v0`. */
const probeId = (name: string, observation: ProbeObservation, action: ProbeAction): string =>
  [`rlkit/${name}`, observation === "vector" ? [] : observation, action === "discrete" ? [] : action, "v0"]
    .flat()
    .join("-");

/** Numbers of a situation's observation, in the layout of the observation space. */
export function seenNumbers(
  { index, brightness }: { readonly index: number; readonly brightness: number },
  observation: ProbeObservation,
): number[] {
  const pixels = Array.from({ length: PIXELS }, () => brightness);
  if (observation === "vector") return [index];
  return observation === "image" ? pixels : [index, ...pixels];
}

function observationSpace({ situations }: ProbeDefinition, observation: ProbeObservation): Space {
  const index = new Discrete(1 + Math.max(...situations.map(({ seen }) => seen.index)));
  const image = new Box({ low: 0, high: 1, shape: PROBE_IMAGE });
  if (observation === "vector") return index;
  return observation === "image" ? image : new Dict({ index, image });
}

/** A probe as an environment, for one form of observation and one form of action. */
export function probeEnvironment(
  definition: ProbeDefinition,
  observation: ProbeObservation,
  action: ProbeAction,
): CompiledEnvironment {
  const { name, actions, starts, situations } = definition;
  const id = probeId(name, observation, action);
  /** Looks up a number of each lane's situation. */
  const numberOf = (situation: Tensor, entry: (known: ProbeSituation, index: number) => number): Tensor =>
    pick(situation, situations.map(entry));

  const observe = (situation: Tensor): Tensor => {
    const n = situation.shape[0] as Dim;
    const index = numberOf(situation, ({ seen }) => seen.index);
    if (observation === "vector") return index;
    const brightness = numberOf(situation, ({ seen }) => seen.brightness);
    if (observation === "image") return broadcastTo(reshape(brightness, [n, 1, 1, 1]), [n, ...PROBE_IMAGE]);
    return concat([reshape(index, [n, 1]), broadcastTo(reshape(brightness, [n, 1]), [n, PIXELS])]);
  };

  const choices = situations.flatMap(({ reward }) => (typeof reward === "number" ? [] : [reward]));
  const rewards = situations.flatMap(({ reward }) => (typeof reward === "number" ? [reward] : []));

  const rewardOf = (situation: Tensor, taken: Tensor): Tensor => {
    if (choices.length === 0) return pick(situation, rewards);
    const wanted = (entry: (choice: ProbeChoice) => number): Tensor => pick(situation, choices.map(entry));
    if (action === "discrete") {
      const right = wanted(({ index }) => index ?? -1);
      return select(equal(cast(taken, "f32"), right), 1, -1);
    }
    const squares = Array.from({ length: actions.continuous }, (_, axis) => {
      const target = wanted((choice) => choice.target[axis] as number);
      return square(sub(clip(column(taken, axis), 0, 1), target));
    });
    return neg(squares.reduce((sum, term) => add(sum, term)));
  };

  return randomEnvironment({
    id,
    observation_space: observationSpace(definition, observation),
    action_space:
      action === "discrete"
        ? new Discrete(actions.discrete)
        : new Box({ low: 0, high: 1, shape: [actions.continuous] }),
    max_episode_steps: MAX_STEPS,
    reward_threshold: null,
    variables: ["situation"],
    resetDraws: starts > 1 ? 1 : 0,
    stepDraws: 0,
    reset: ([draw], num_envs) => ({ situation: draw ? drawInteger(draw, starts) : zeros([num_envs]) }),
    observe: ({ situation }) => observe(situation),
    step: ({ situation }, taken) => ({
      state: { situation: numberOf(situation, ({ next }, here) => next ?? here) },
      reward: rewardOf(situation, taken),
      terminated: equal(
        numberOf(situation, ({ next }) => (next === null ? 1 : 0)),
        1,
      ),
    }),
  });
}
