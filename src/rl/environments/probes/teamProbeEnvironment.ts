import {
  add,
  broadcastTo,
  clip,
  column,
  equal,
  mul,
  neg,
  reshape,
  select,
  square,
  stackColumns,
  sub,
  type Tensor,
  zeros,
} from "../../../kernels/index.ts";
import { Agents, Box, Discrete } from "../../spaces.ts";
import type { CompiledEnvironment } from "../definition/compiledEnvironment.ts";
import { randomEnvironment } from "../definition/randomEnvironment.ts";
import { drawInteger, pick } from "../dynamics/numbers.ts";
import type { ProbeAction } from "./probeEnvironment.ts";
import {
  TEAM_PROBE_IDS,
  type TeamPlace,
  type TeamProbeDefinition,
  type TeamSituation,
  type TeamWish,
} from "./teamProbeDefinitions.ts";

/** Probes terminate within two steps; the limit only bounds the cost of a mistake. */
const MAX_STEPS = 10;
const AGENTS = TEAM_PROBE_IDS.length;

const eachAgent = <T>(of: (place: TeamPlace) => T): [T, T] => [of(0), of(1)];

/** `rlkit/<name>[-continuous]-v0`. */
const probeId = (name: string, action: ProbeAction): string =>
  `rlkit/${name}${action === "discrete" ? "" : "-continuous"}-v0`;

/** A probe with two agents as an environment, for one form of action. Agents observe indices (`Discrete`). */
export function teamProbeEnvironment(
  { name, starts, situations, wishes }: TeamProbeDefinition,
  action: ProbeAction,
): CompiledEnvironment {
  const indices = 1 + Math.max(...situations.flatMap(({ seen }) => seen));
  const spaces = <T>(made: () => T) => Object.fromEntries(TEAM_PROBE_IDS.map((id) => [id, made()]));
  const acts = () => (action === "discrete" ? new Discrete(2) : new Box({ low: 0, high: 1, shape: [1] }));
  /** Looks up a number of each lane's situation. */
  const numberOf = (situation: Tensor, entry: (known: TeamSituation, index: number) => number): Tensor =>
    pick(situation, situations.map(entry));

  const fit = (situation: Tensor, taken: Tensor, { of, target, weight }: TeamWish): Tensor => {
    const own = column(taken, of);
    const seen = numberOf(situation, (known) => known.seen[of]);
    const wanted =
      target === "other's action"
        ? column(taken, of === 0 ? 1 : 0)
        : target === "seen"
          ? seen
          : target === "unseen"
            ? sub(1, seen)
            : broadcastTo(target, own.shape);
    return action === "discrete"
      ? select(equal(own, wanted), weight, -weight)
      : neg(mul(square(sub(own, wanted)), weight));
  };

  return randomEnvironment({
    id: probeId(name, action),
    observation_space: new Agents(spaces(() => new Discrete(indices))),
    action_space: new Agents(spaces(acts)),
    max_episode_steps: MAX_STEPS,
    reward_threshold: null,
    variables: ["situation"],
    resetDraws: starts > 1 ? 1 : 0,
    stepDraws: 0,
    reset: ([draw], num_envs) => ({ situation: draw ? drawInteger(draw, starts) : zeros([num_envs]) }),
    observe: ({ situation }) =>
      stackColumns(eachAgent((place) => numberOf(situation, ({ seen }) => seen[place]))),
    step: ({ situation }, given) => {
      const taken = clip(given, 0, 1);
      const reward = (place: TeamPlace) =>
        wishes[place].reduce(
          (sum, wish) => add(sum, fit(situation, taken, wish)),
          numberOf(situation, (known) => known.reward[place]),
        );
      const over = equal(
        numberOf(situation, ({ next }) => (next === null ? 1 : 0)),
        1,
      );
      const n = over.shape[0] as (typeof over.shape)[number];
      return {
        state: { situation: numberOf(situation, ({ next }, here) => next ?? here) },
        reward: stackColumns(eachAgent(reward)),
        terminated: broadcastTo(reshape(over, [n, 1]), [n, AGENTS]),
      };
    },
  });
}
