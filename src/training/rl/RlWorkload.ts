/** Reinforcement learning as a workload: its members' turns, and the replay buffer that they share. */

import {
  type AgentState,
  algorithmOf,
  EvolvableAgent,
  forgetRows,
  noPriorities,
  type OffPolicyTurn,
  type Priorities,
  type RunProgress,
  type Turn,
  type TurnPriorities,
  type TurnResult,
  vectorSteps,
  visiblePart,
  visiblePriorities,
} from "../../agents/members.ts";
import type { HyperparameterConfig } from "../../evolution/index.ts";
import { describeNetwork, networkStructure } from "../../rl/networks.ts";
import { learningMetrics, playMetrics, scheduled, scheduledMetric } from "../../rl/programs.ts";
import type { Space } from "../../rl/spaces.ts";
import { schedulesIn } from "../../specs/algorithms.ts";
import type { NetworkStructure } from "../../specs/networks.ts";
import type { LeagueReport, TrainingEvent } from "../../tracking/observer.ts";
import type { Workload } from "../loop/Workload.ts";
import { fittedMetrics } from "./heldOut.ts";
import type { RlKinds, RunPlan, RunSetup, Written } from "./kinds.ts";
import { LevelWarnings } from "./LevelWarnings.ts";
import { leagueAfter, leagueReport, NO_LEAGUE, opponentsOf, rated, withRating } from "./league.ts";
import { OutlierWarnings } from "./OutlierWarnings.ts";
import { writtenParts } from "./ReplayMirror.ts";
import { allWritten, type RunState, type Shared, storeWritten, withRoomFor } from "./runState.ts";
import { sharedCredit, sharedRatio, sourceOf } from "./sharedCredit.ts";

export { withDemonstrations } from "./demonstrations.ts";

/**
 * Fraction of the remaining steps by which a run may exceed `max_steps` without a warning; some excess is
 * normal, because generations are whole.
 */
const UNSAID = 0.1;

type Member = Pick<AgentState, "steps" | "hyperparameters">;

/** Minimum environment steps of a member before it can stop, and its steps per generation. */
function wholeSteps({ hyperparameters }: Member, { num_envs, evo_steps, off_policy }: RunPlan) {
  if (off_policy?.offline) return { least: 1, generation: evo_steps };
  if (off_policy) return { least: num_envs, generation: vectorSteps(evo_steps, num_envs) * num_envs };
  // An iteration of an evolution strategy ends with its episodes.
  if (hyperparameters.learn_step === undefined) return { least: 1, generation: evo_steps };
  const learn_step = Number(hyperparameters.learn_step);
  const least = Math.ceil(learn_step / num_envs) * num_envs;
  return { least, generation: Math.max(1, Math.ceil(evo_steps / learn_step)) * least };
}

/**
 * A warning if members will take far more steps than `max_steps` with their current hyperparameters. This is
 * the case if one rollout is longer than the remaining steps, or if whole generations exceed them by more
 * than a tenth. Null otherwise.
 */
export function overshootWarning(plan: RunPlan, members: readonly Member[]): string | null {
  const [first, ...others] = members;
  if (!first) return null;
  // The member with the most steps ends the run.
  const furthest = others.reduce((a, b) => (b.steps > a.steps ? b : a), first);
  const isShared = plan.max_steps_of === "population";
  const taken = isShared ? members.reduce((sum, { steps }) => sum + steps, 0) : furthest.steps;
  const left = plan.max_steps - taken;
  if (left <= 0) return null;
  // If all members share the budget, each generation and each rollout takes steps for every member.
  const shares = isShared ? members.length : 1;
  const whole = wholeSteps(furthest, plan);
  const [least, generation] = [whole.least * shares, whole.generation * shares];
  const over = Math.ceil(left / generation) * generation - left;
  if (over <= UNSAID * left && least <= left) return null;
  const { learn_step } = furthest.hyperparameters;
  const of = (): string => {
    if (plan.off_policy?.offline) return `${generation} learning steps`;
    if (plan.off_policy) return `${generation} steps of ${plan.num_envs} environments`;
    if (learn_step === undefined) return `${generation} steps or more, until an iteration ends`;
    return `${generation} steps${isShared ? " of all agents" : ""}, in rollouts of ${whole.least} (learn_step ${learn_step}, ${plan.num_envs} environments)`;
  };
  const one = `a generation is ${of()}`;
  return `max_steps is ${plan.max_steps}, but agents will take ${plan.max_steps + over} (${over} more), because only whole generations are trained: ${one}`;
}

/** An agent's networks, policies first, without target networks. */
export function networkStructures(agent: AgentState): readonly NetworkStructure[] {
  const { policies, targets } = algorithmOf(agent);
  const names = Object.keys(agent.networks).filter((name) => !Object.hasOwn(targets, name));
  const ordered = [
    ...names.filter((name) => policies.includes(name)),
    ...names.filter((name) => !policies.includes(name)),
  ];
  return ordered.flatMap((name) => {
    const network = agent.networks[name];
    return network ? [networkStructure(name, network.data)] : [];
  });
}

/** Name of the workload in checkpoints and workers. */
export const RL_WORKLOAD = "rl";

/** The initial contents of executors' replay buffers. Executors receive data sets in parts only. */
function contentsOf({
  replay,
  demonstrations,
  members,
}: Pick<RunState, "replay" | "demonstrations" | "members">): Pick<RunSetup, "written" | "data"> {
  const written = allWritten(replay);
  const read = demonstrations?.read;
  if (!replay?.dataset) return { written, ...(read && { data: () => read(members.length) }) };
  const held = async function* () {
    yield* writtenParts(written, replay.segment);
  };
  return { written: [], data: replay.data ?? held };
}

interface RlWorkloadOptions {
  readonly plan: RunPlan;
  /** Hyperparameters that may mutate; `null` for none. */
  readonly hp_config: HyperparameterConfig | null;
  /** What members observe; `null` for bandits (default: null). */
  readonly observation_space?: Space | null;
}

export class RlWorkload implements Workload<RlKinds> {
  readonly #plan: RunPlan;
  readonly #hp_config: HyperparameterConfig | null;
  readonly #outliers: OutlierWarnings;
  readonly #level = new LevelWarnings();

  constructor({ plan, hp_config, observation_space = null }: RlWorkloadOptions) {
    this.#plan = plan;
    this.#hp_config = hp_config;
    this.#outliers = new OutlierWarnings(observation_space);
  }

  setup({ replay, demonstrations, members, gpu_workgroups, device }: RunState): RunSetup {
    const { environment, env_config, user_module, table = null, off_policy } = this.#plan;
    const memory: NonNullable<RunPlan["off_policy"]>["memory"] = off_policy?.memory ?? {
      n_step: 1,
      alpha: null,
    };
    const kind = {
      n_step: memory.n_step,
      prioritized: memory.alpha !== null,
      ...(sharedRatio(this.#plan, members) !== null && { shared: true as const }),
      ...((replay?.masked || demonstrations?.masked) && { masked: true as const }),
      ...(demonstrations && { demonstrations: memory.demonstrations ?? 1 }),
      ...(memory.her && { her: memory.her }),
    };
    return {
      workload: RL_WORKLOAD,
      environment,
      env_config,
      ...(user_module && { user_module }),
      table,
      members: members.length,
      replay:
        replay || demonstrations
          ? {
              population: members.length,
              segment: replay?.segment ?? 0,
              kind,
              ...(replay?.held && { held: replay.held }),
              ...(demonstrations && { demonstrations: demonstrations.identity.rows }),
            }
          : null,
      ...contentsOf({ replay, members, ...(demonstrations && { demonstrations }) }),
      gpu_workgroups,
      trainedOn: device,
    };
  }

  evolved(state: AgentState): EvolvableAgent {
    return new EvolvableAgent(state, {
      algorithm: algorithmOf(state),
      hp_config: this.#hp_config,
    });
  }

  turn(agent: AgentState, slot: number, state: RunState, generation: number): Turn {
    const { num_envs, seed, evo_steps, eval_loop, eval_steps, off_policy, sum_scores } = this.#plan;
    const { mean_rewards, fqe } = this.#plan;
    return {
      slot,
      generation,
      seed,
      num_envs,
      evo_steps,
      eval_loop,
      eval_steps,
      ...(sum_scores === undefined ? {} : { sum_scores }),
      ...(mean_rewards === undefined ? {} : { mean_rewards }),
      ...(fqe && { fqe }),
      ...(schedulesIn(agent.hyperparameters).length > 0 && { schedule: this.#progress(agent, state) }),
      ...(state.lanes && { lanes: state.lanes[slot] ?? null }),
      ...this.#opponents(slot, state, generation),
      ...this.#imitation(agent, state),
      off_policy: off_policy ? this.#offPolicyTurn(agent, slot, state, off_policy) : null,
    };
  }

  evaluation(agent: AgentState, slot: number, state: RunState, episodes: number, again?: "again"): Turn {
    const { lanes: _, ...turn } = this.turn(agent, 0, state, state.generation + 1);
    const eval_loop = Math.ceil(episodes / turn.num_envs);
    const first_pass = again ? { first_pass: turn.eval_loop } : {};
    return { ...turn, slot, eval_loop, ...first_pass, evaluates: true };
  }

  judged({ league }: RunState, results: readonly (TurnResult | null)[]): readonly (TurnResult | null)[] {
    const { opponents } = this.#plan;
    if (!opponents) return results;
    const { members } = rated(opponents, league ?? NO_LEAGUE, results);
    return results.map((result, place) => {
      const player = members[place];
      return result && player ? withRating(result, player) : result;
    });
  }

  league({ league }: RunState, results: readonly (TurnResult | null)[]): LeagueReport | null {
    const { opponents } = this.#plan;
    return opponents && league ? leagueReport(opponents, league, results) : null;
  }

  gather(
    { replay, epsilon, gpu_workgroups, members, generation, ...before }: RunState,
    results: readonly (TurnResult | null)[],
  ): { shared: Shared; news: readonly Written[] } {
    const { opponents } = this.#plan;
    const lasting = {
      // A member that failed has not moved its lanes.
      ...(before.lanes && { lanes: before.lanes.map((own, slot) => results[slot]?.lanes ?? own) }),
      ...(opponents && {
        league: leagueAfter(opponents, before.league ?? NO_LEAGUE, results, generation + 1),
      }),
    };
    const off = results
      .filter((r) => r !== null)
      .flatMap((r) => (r.off_policy ? [{ slot: r.slot, ...r.off_policy }] : []));
    const news = off.map(({ slot, written }) => ({ slot, ...written })).filter(({ count }) => count > 0);
    if (!replay) return { shared: { epsilon, replay, gpu_workgroups, ...lasting }, news };
    const segments = withRoomFor(replay.segments, news);
    const isWider = segments.some((rows, slot) => rows !== replay.segments[slot]);
    for (const written of news) storeWritten({ ...replay, segments }, written);
    const rings = replay.rings.map((ring, slot) => off.find((o) => o.slot === slot)?.ring ?? ring);
    const isPrioritised = this.#plan.off_policy?.memory.alpha != null;
    /** A slot's priorities, with 0 for rows that others wrote in this generation. */
    const kept = (slot: number): Priorities => {
      const rows = replay.segment * members.length;
      const own = off.find((o) => o.slot === slot)?.priorities ?? replay.priorities?.[slot];
      const others = news.filter((written) => written.slot !== slot);
      return forgetRows(own ?? noPriorities(rows), others, replay.segment);
    };
    const priorities = isPrioritised ? members.map((_member, slot) => kept(slot)) : null;
    const { collected: _, ...kept_rows } = replay;
    const collected = members.map((_member, slot) => results[slot]?.env_steps ?? 0);
    return {
      shared: {
        epsilon: off.at(-1)?.epsilon ?? epsilon,
        replay: {
          ...kept_rows,
          segments,
          ...(isWider && { masked: true as const }),
          rings,
          priorities,
          ...(sharedRatio(this.#plan, members) !== null && { collected }),
        },
        gpu_workgroups,
        ...lasting,
      },
      news,
    };
  }

  events(results: readonly (TurnResult | null)[]): readonly TrainingEvent[] {
    const done = results.filter((result) => result !== null);
    const messages = [...this.#outliers.of(done.map(({ agent }) => agent)), ...this.#level.of(done)];
    return messages.map((message) => ({ event: "warning", message }));
  }

  generationSteps(agent: Pick<AgentState, "steps" | "hyperparameters">): number {
    return wholeSteps(agent, this.#plan).generation;
  }

  structure(agent: AgentState): readonly NetworkStructure[] {
    return networkStructures(agent);
  }

  describe(agent: AgentState): string {
    const { policies, policy } = algorithmOf(agent);
    const named = policies.map((name) => {
      const network = agent.networks[name];
      const text = network ? describeNetwork(network.data) : "";
      return policies.length === 1 ? text : `${name.slice(policy.length + 1)}: ${text}`;
    });
    return named.join("; ");
  }

  metrics(agent: AgentState): readonly string[] {
    const algorithm = algorithmOf(agent);
    const played = this.#plan.off_policy?.offline ? [] : playMetrics(algorithm);
    const followed = scheduled(algorithm, agent.hyperparameters).flatMap(({ names }) =>
      names.map(scheduledMetric),
    );
    const isLikely = agent.networks[algorithm.policy]?.data.distribution?.kind === "categorical";
    const fitted = this.#plan.fqe ? fittedMetrics(this.#plan, isLikely) : [];
    return [...learningMetrics(algorithm), ...followed, ...played, ...fitted];
  }

  /** The weight of imitation in a member's turn; nothing once it has fallen to 0. */
  #imitation({ steps }: AgentState, { demonstrations }: RunState): Pick<Turn, "imitation"> {
    const { imitation, num_envs } = this.#plan;
    if (!imitation || !demonstrations || steps >= imitation.steps) return {};
    const weight = imitation.coef * (1 - steps / imitation.steps);
    return { imitation: { weight, weight_step: (imitation.coef * num_envs) / imitation.steps } };
  }

  /** Whom a member plays in its turn, in a game. */
  #opponents(
    slot: number,
    { members, league = NO_LEAGUE }: RunState,
    generation: number,
  ): Pick<Turn, "opponents"> {
    const { opponents, seed } = this.#plan;
    return opponents
      ? { opponents: opponentsOf(opponents, { members, league, slot, generation, seed }) }
      : {};
  }

  /** A member's place in the run, by the steps that `max_steps` counts. */
  #progress({ steps }: AgentState, { members, resting = [] }: RunState): RunProgress {
    const { max_steps, max_steps_of, num_envs, off_policy } = this.#plan;
    const isShared = max_steps_of === "population";
    const taken = isShared ? members.reduce((sum, member) => sum + member.steps, 0) : steps;
    const together = isShared ? members.length - resting.length : 1;
    const step = off_policy?.offline ? 1 : num_envs;
    return { progress: taken / max_steps, progress_step: (step * together) / max_steps };
  }

  #offPolicyTurn(
    agent: AgentState,
    slot: number,
    state: RunState,
    { memory, max_replay_ratio: _ratio, ...off }: NonNullable<RunPlan["off_policy"]>,
  ): OffPolicyTurn {
    const { replay, epsilon } = state;
    if (!replay) throw new Error("an off-policy run needs a replay buffer");
    const { num_envs, evo_steps } = this.#plan;
    const coming = off.offline ? 0 : vectorSteps(evo_steps, num_envs) * num_envs;
    const ring = replay.rings[slot];
    if (!ring) throw new RangeError(`replay: no segment ${slot}; there are ${replay.rings.length}`);
    const visible = replay.rings.map((r) => visiblePart(r, replay.segment, coming));
    const view = { slot, ring, visible };
    const priorities = memory.alpha === null ? null : this.#priorities(agent, memory.alpha, view, state);
    const most = sharedRatio(this.#plan, state.members);
    const earned = most === null ? {} : { earned: sharedCredit(agent, slot, state, this.#plan, most) };
    return { ...off, ...earned, epsilon, ring, visible, priorities };
  }

  /** The priorities of a member's turn; a clone starts with those of its parent. */
  #priorities(
    agent: AgentState,
    alpha: number,
    view: Parameters<typeof visiblePriorities>[2],
    { members, replay }: RunState,
  ): TurnPriorities {
    const { max_steps, num_envs } = this.#plan;
    const { segment = 0, priorities } = replay ?? {};
    const before = priorities?.[sourceOf(agent, members) ?? -1] ?? noPriorities(segment * members.length);
    return {
      ...visiblePriorities(before, alpha, view, segment),
      alpha,
      progress: Math.min(1, agent.steps / max_steps),
      progress_step: num_envs / max_steps,
    };
  }
}
