/** Environments that the host steps: calls to them, whose results are checked, their episodes, and greedy evaluation. */
import { hostKey } from "../../../kernels/functions.ts";
import {
  type AnyVectorEnvironment,
  type BranchingLanes,
  branchingLanes,
  EnvironmentError,
  endedLanes,
  type Info,
  infoMasks,
  lastingLanes,
  leftAfter,
  nameOf,
  type PlacedLanes,
  SyncVectorEnvironment,
  type VectorEnvironment,
  type VectorResetOptions,
  type VectorResetResult,
  type VectorStepResult,
} from "../../../rl/faces.ts";
import { SLICE_MS, type Slice, settled } from "../turn.ts";
import { type Evaluation, type EvaluationPass, evaluationOf } from "../turnResult.ts";
import type { AgentSession } from "./AgentSession.ts";
import { CheckedLanes } from "./CheckedLanes.ts";

export { beginningIn, lanesAfter, placeLanes } from "../laneState.ts";
export { type Match, type Opponent, type Opponents, opponentId, partAt } from "../opponents.ts";
export { HostEpisodes } from "../ToldEpisodes.ts";

const known = new WeakMap<AnyVectorEnvironment, CheckedLanes>();

/**
 * The object that checks the results. A SyncVectorEnvironment does so itself, before it joins those of its
 * environments.
 */
function checked(env: AnyVectorEnvironment): Pick<CheckedLanes, "reset" | "step"> {
  return env instanceof SyncVectorEnvironment ? env : checkedLanes(env);
}

function checkedLanes(env: AnyVectorEnvironment): CheckedLanes {
  const lanes = known.get(env) ?? new CheckedLanes(env);
  known.set(env, lanes);
  return lanes;
}

/**
 * Starts an episode in every lane.
 * @throws EnvironmentError for an error or an invalid result of the environment.
 */
export function resetLanes(env: VectorEnvironment, options?: VectorResetOptions): VectorResetResult;
/** Like the overload above, for lanes that may be stepped on another thread. */
export function resetLanes(
  env: AnyVectorEnvironment,
  options?: VectorResetOptions,
): VectorResetResult | Promise<VectorResetResult>;
export function resetLanes(env: AnyVectorEnvironment, options: VectorResetOptions = {}) {
  return checked(env).reset(options);
}

/**
 * One step of every lane.
 * @param wanted As `wanted` of the environment; results of other lanes are not checked.
 * @throws EnvironmentError for an error or an invalid result of the environment.
 */
export function stepLanes(
  env: VectorEnvironment,
  actions: ArrayLike<number>,
  wanted?: Uint8Array,
): VectorStepResult;
/** Like the overload above, for lanes that may be stepped on another thread. */
export function stepLanes(
  env: AnyVectorEnvironment,
  actions: ArrayLike<number>,
  wanted?: Uint8Array,
): VectorStepResult | Promise<VectorStepResult>;
export function stepLanes(env: AnyVectorEnvironment, actions: ArrayLike<number>, wanted?: Uint8Array) {
  return checked(env).step(actions, wanted);
}

/**
 * Goes on with the episodes of an earlier turn.
 * @param before Where they stand, and what was observed there; null to begin them.
 * @throws EnvironmentError for an error or an invalid result of the environment.
 */
export function goOnLanes(
  env: AnyVectorEnvironment,
  seed: number,
  before: { readonly places: unknown; readonly observation: Float32Array } | null,
): PlacedLanes | Promise<PlacedLanes> {
  const lanes = lastingLanes(env);
  if (!lanes) throw new TypeError(`${nameOf(env)}: found lanes that begin anew in every turn`);
  const placed = lanes.goOn(seed, before?.places ?? null, before?.observation ?? null);
  if (!(placed instanceof Promise)) return placed;
  return placed.then((result) => checkedLanes(env).placed(result));
}

/**
 * Where the lanes' episodes stand (unless that is given), and how a search takes steps from other positions.
 * @throws EnvironmentError for an environment without `save` and `load`. Both functions throw it for an error or an invalid
 * result of the environment.
 */
export async function branchesOf(env: AnyVectorEnvironment, given?: readonly unknown[]) {
  const lanes = branchingLanes(env);
  const told = given ?? (await lanes?.positions()) ?? [];
  const positions = Array.from({ length: env.num_envs }, (_, lane) => told[lane] ?? null);
  if (!lanes || positions.includes(null))
    throw new EnvironmentError(
      `${nameOf(env)}: found no save() and load(state), by which a search copies positions; add both`,
    );
  const branch: BranchingLanes["branch"] = async (from, actions, wanted) => {
    const branch = await lanes.branch(from, actions, wanted);
    return { ...branch, step: checkedLanes(env).branched(branch.step, wanted) };
  };
  return { positions, branch };
}

/** A seed for an environment's own generator: 31 bits, which every generator accepts. */
export const environmentSeed = (...parts: readonly number[]): number => hostKey(...parts)[0] >>> 1;

export interface HostEvaluation extends Pick<HostPlay, "choose"> {
  /** Passes; in each, every environment runs one episode. */
  readonly eval_loop: number;
  /** Limit of steps per episode; `null` means only the environment's own limit applies. */
  readonly eval_steps: number | null;
  /** Seed of the environments' reset at the start of a pass; undefined continues their generators. */
  readonly seedOf: (pass: number) => number | undefined;
  /** As `sum_scores` of a turn. */
  readonly sum_scores?: boolean | undefined;
}

/** Steps after which an episode is cut if the environment defines no limit. */
const MOST_STEPS = 100_000;

/** Environments that a warning was already printed for. */
const warned = new WeakSet<AnyVectorEnvironment>();

function warnOfCut(env: AnyVectorEnvironment, limit: number): void {
  if (warned.has(env)) return;
  warned.add(env);
  const stated = env.spec?.max_episode_steps ?? null;
  const [why, advice] =
    stated === null
      ? [
          "",
          "; end episodes with terminated or truncated, set spec.max_episode_steps on the environment, or limit evaluation (eval_steps, or max_steps of test)",
        ]
      : [" (its spec.max_episode_steps)", "; return truncated: true from env.step() at that step"];
  console.warn(
    `rlkit: ${env instanceof SyncVectorEnvironment ? env.name : nameOf(env)}: an episode of evaluation did not end within ${limit} steps${why} and was cut there${advice}`,
  );
}

/** Longest episode of an environment that the host steps. */
export const episodeLimit = (env: AnyVectorEnvironment): number => env.spec?.max_episode_steps ?? MOST_STEPS;

interface PlayedOnHost {
  readonly returns: Float32Array;
  readonly lengths: readonly number[];
  /** Whether an episode was cut at the limit of steps. */
  readonly cut: boolean;
  /** 1 for episodes whose last info tells success; absent where no info tells of it. */
  readonly successes?: readonly number[];
}

/** Actions of running lanes, 1 each, as the environment takes them. Those of others count for nothing. */
export type Chooses = (
  observation: Float32Array,
  info: readonly Info[],
  running: Uint8Array,
) => Promise<ArrayLike<number>>;

interface HostPlay {
  /** Program that acts, which must be open, and the buffer of its actions. */
  readonly act: readonly [program: "act" | "greedy", actions: "act.applied" | "act.greedy"];
  /** Seed of the environments' reset; undefined continues their generators. */
  readonly seed: number | undefined;
  /** Most steps of an episode. */
  readonly steps: number;
  /** Chooses the actions of running lanes, 1 each (default: the program does). */
  readonly choose?: Chooses;
  /** Called before the action of each step, with 1 for lanes whose episode runs. */
  readonly onStep?: (step: number, running: Uint8Array) => void;
  /** Lanes that play, 1 each (default: all). */
  readonly playing?: Uint8Array;
}

/** The first episode of each lane. Yields between steps; slices count no work. */
export function* playOnHost(
  session: AgentSession,
  env: AnyVectorEnvironment,
  { act: [program, actions], choose, seed, steps, onStep, playing }: HostPlay,
): Generator<Slice, PlayedOnHost> {
  const { num_envs } = env;
  const { observation_space, action_space } = session.layout;
  const { arena } = session.open([]);
  let since = performance.now();
  let { observation, info } = yield* settled(resetLanes(env, seed === undefined ? {} : { seed }));
  session.forget();
  const each = observation_space.kind === "Agents" ? observation_space.ids.length : 1;
  const returns = new Float32Array(num_envs * each);
  let left: Uint8Array | null = null;
  const running = playing?.slice() ?? new Uint8Array(num_envs).fill(1);
  const lengths = new Array<number>(num_envs).fill(0);
  const successes = new Array<number>(num_envs).fill(0);
  let tellsSuccess = false;
  const act = (seen: Float32Array, infos: readonly Info[], gone: Uint8Array | null): ArrayLike<number> => {
    arena.write("act.obs", seen);
    const mask = infoMasks(action_space, infos, gone);
    if (mask) arena.write("act.mask", mask);
    session.run(program);
    return arena.read(actions);
  };
  for (let step = 0; running.includes(1) && step < steps; step++) {
    onStep?.(step, running);
    const chosen = choose ? yield* settled(choose(observation, info, running)) : act(observation, info, left);
    const next = yield* settled(stepLanes(env, chosen, running));
    const ended = endedLanes(next);
    for (let lane = 0; lane < num_envs; lane++) {
      if (running[lane] === 0) continue;
      lengths[lane] = step + 1;
      const { is_success = null } = next.final_info[lane] ?? {};
      tellsSuccess ||= is_success !== null;
      successes[lane] = Number(Boolean(is_success));
      for (let i = lane * each; i < (lane + 1) * each; i++)
        returns[i] = (returns[i] as number) + (next.reward[i] as number);
      if (ended[lane]) running[lane] = 0;
    }
    left = leftAfter(next, ended);
    observation = next.observation;
    info = next.info;
    if (performance.now() - since > SLICE_MS) {
      yield { env_steps: 0, learn_steps: 0 };
      since = performance.now();
    }
  }
  return { returns, lengths, cut: running.includes(1), ...(tellsSuccess && { successes }) };
}

/**
 * Mean returns of greedy episodes: the first episode of each environment in each pass. Yields between steps.
 * Episodes are cut after the environment's `max_episode_steps`. If it defines none, they are cut after
 * 100,000 steps. A warning is printed when an episode is cut by either limit.
 */
export function* evaluateOnHost(
  session: AgentSession,
  env: AnyVectorEnvironment,
  { eval_loop, eval_steps, seedOf, sum_scores, choose }: HostEvaluation,
): Generator<Slice, Evaluation> {
  const { num_envs } = env;
  const limit = episodeLimit(env);
  const steps = Math.min(eval_steps ?? limit, limit);
  session.open(["greedy"], { num_envs });
  const passes: EvaluationPass[] = [];
  for (let pass = 0; pass < eval_loop; pass++) {
    const played = yield* playOnHost(session, env, {
      act: ["greedy", "act.greedy"],
      ...(choose && { choose }),
      seed: seedOf(pass),
      steps,
    });
    if ((eval_steps ?? Infinity) > limit && played.cut) warnOfCut(env, limit);
    passes.push(played);
  }
  const scoring = sum_scores === undefined ? {} : { sum_scores };
  return evaluationOf(passes, session.layout.observation_space, scoring);
}
