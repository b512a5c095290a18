/** A walk with random actions through a user's environment, before anything depends on it. */
import { Random } from "../evolution/random.ts";
import {
  endedLanes,
  type Info,
  infoMasks,
  overAfter,
  requireEnvironment,
  SyncVectorEnvironment,
  sampleLegal,
} from "../rl/faces.ts";
import type { MadeEnvironment } from "./makeEnvironment.ts";
import type { EnvironmentCall, Finding, ValidateReply } from "./messages.ts";
import { OwnGame } from "./OwnGame.ts";

/** Stops a validation walk and carries its finding. */
class FindingError extends Error {
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.what);
    this.name = "FindingError";
    this.finding = finding;
  }
}

/** Runs `make` and converts any error it throws into a `FindingError`. */
function at<T>(call: EnvironmentCall, step: number | null, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new FindingError(faultOf(error, call, step));
  }
}

/** rlkit's messages have the form "place: found A, allowed B"; a user's module may throw any text. */
function faultOf(error: unknown, call: EnvironmentCall, step: number | null): Finding {
  const what = error instanceof Error ? error.message : String(error);
  const [, found = what, allowed = "a call that ends without an error"] =
    /: (\S*: found .*|found .*|threw .*?)(?:, allowed (.*))?$/s.exec(what) ?? [];
  return { level: "error", call, step, found, allowed, what };
}

/**
 * The legal actions after a call, read as training reads them.
 * @param over As for `infoMasks`.
 * @throws FindingError for a mask that does not fit the actions.
 */
function legalAfter(
  call: "reset" | "step",
  step: number,
  { single_action_space: space, name }: SyncVectorEnvironment,
  infos: readonly Info[],
  over: Uint8Array | null = null,
): Float32Array | null {
  try {
    return infoMasks(space, infos, over);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const [, found = reason, allowed = "a mask of the actions"] = /^(.*), allowed (.*)$/s.exec(reason) ?? [];
    const what = `${name}: env.${call}() at step ${step}: ${reason}`;
    throw new FindingError({ level: "error", call, step, found, allowed, what });
  }
}

interface ValidationWalk {
  /** The module's code. */
  readonly script: string;
  /** Steps to take, over as many episodes as needed. */
  readonly steps: number;
  /** Seed of the actions and of the environment's resets. */
  readonly seed: number;
}

/** Number of steps that are repeated from the same seed. */
const SAME_STEPS = 1_000;

type Make = () => MadeEnvironment;

/**
 * Checks the shapes, numbers, types and masks of every step, repeatability with one seed, the effect
 * of seeds, saved states, and episode ends. Measures speed.
 */
export function validateEnvironment(make: Make, { steps, seed, script }: ValidationWalk): ValidateReply {
  try {
    // In Node a sandbox has no other clock.
    const start = Date.now();
    const walk = walked(make, steps, seed);
    const seconds = (Date.now() - start) / 1000;
    const again = walked(make, Math.min(steps, SAME_STEPS), seed);
    const repeated = differences(walk.rows, again.rows);
    const seeds =
      repeated.length > 0 ? repeated : seeding(make, Math.min(steps, SEEDED_STEPS), { seed, script });
    const saved = repeated.length > 0 ? [] : saving(make, Math.min(steps, SEEDED_STEPS), seed);
    const games = repeated.length > 0 ? [] : [...unfair(walk), ...permissive(make, steps, seed)];
    const findings = [...seeds, ...saved, ...games, ...endings(walk, steps)];
    return { findings, steps_per_second: steps / Math.max(seconds, 1e-3) };
  } catch (error) {
    if (!(error instanceof FindingError)) throw error;
    return { findings: [error.finding], steps_per_second: 0 };
  }
}

interface Walk {
  readonly environment: MadeEnvironment;
  /** In a game: the first step whose rewards do not sum to 0, and these; null if there is none. */
  readonly uneven: { readonly step: number; readonly rewards: readonly number[] } | null;
  /** The numbers of the first steps: observation, reward, flags. */
  readonly rows: readonly string[];
  readonly episodes: number;
  /** Steps of the longest episode. */
  readonly longest: number;
}

/** @throws FindingError for anything that does not fit the environment interface. */
function walked(make: Make, steps: number, seed: number): Walk {
  const environment = at("open", null, make);
  const lane = laneOf(environment);
  const rows: string[] = [];
  let [episodes, elapsed, longest] = [0, 0, 0];
  let uneven: Walk["uneven"] = null;
  for (const { taken, row, ended } of played(lane, steps, { seed, actions: seed })) {
    if (taken <= SAME_STEPS) rows.push(row());
    if (taken > 0) elapsed++;
    longest = Math.max(longest, elapsed);
    if (environment instanceof OwnGame && taken > 0) {
      const { rewards } = environment;
      const sum = rewards.reduce((all, reward) => all + reward, 0);
      if (Math.abs(sum) > UNEVEN) uneven ??= { step: taken, rewards };
    }
    if (!ended) continue;
    episodes++;
    elapsed = 0;
  }
  at("close", steps, () => lane.close());
  return { environment, uneven, rows, episodes, longest };
}

/** @throws FindingError for an object that is no environment. */
function laneOf(environment: MadeEnvironment): SyncVectorEnvironment {
  at("open", null, () => requireEnvironment(environment, "environment"));
  return at("open", null, () => new SyncVectorEnvironment([() => environment]));
}

interface Played {
  /** Steps taken; 0 after the reset. */
  readonly taken: number;
  /** The numbers that it returned, as text. */
  readonly row: () => string;
  readonly ended: boolean;
  /** Of the observation to act on. */
  readonly info: readonly Info[];
}

/**
 * A reset, and steps with random actions, over as many episodes as needed.
 * @param own Seed of the reset, which has none without it, and of the actions; or the last info, to go on without a
 *   reset.
 * @throws FindingError for anything that does not fit the environment interface.
 */
function* played(
  lane: SyncVectorEnvironment,
  steps: number,
  {
    seed,
    actions: drawn,
    from,
  }: { readonly seed?: number; readonly actions: number; readonly from?: readonly Info[] },
): Generator<Played> {
  const random = new Random({ seed: drawn, stream: "validation" });
  const first = from
    ? { observation: [], info: from }
    : at("reset", 0, () => lane.reset(seed === undefined ? {} : { seed }));
  let mask = legalAfter("reset", 0, lane, first.info);
  yield { taken: 0, row: () => text(first.observation), ended: false, info: first.info };
  for (let taken = 1; taken <= steps; taken++) {
    const actions = sampleLegal(lane.single_action_space, random, mask);
    const result = at("step", taken, () => lane.step(actions));
    const { final_observation, reward, terminated, truncated } = result;
    const lanes = endedLanes(result);
    const ended = lanes[0] === 1;
    // Also checks the mask of the last observation, which methods that learn from transitions read.
    const next = legalAfter("step", taken, lane, result.final_info, overAfter(result, lanes));
    mask = ended ? legalAfter("reset", taken, lane, result.info) : next;
    const legal = forbidding(mask);
    const row = () => `${[final_observation, reward, terminated, truncated].map(text).join(" ")}${legal}`;
    yield { taken, row, ended, info: result.info };
  }
}

/** Episodes that one environment begins with different seeds, and again without a seed. */
const SEEDS = 8;
/** Steps after each of these resets. */
const SEEDED_STEPS = 50;

/** What code that draws random numbers contains: names, and constants and operators of generators. */
const CHANCE = /random|seed|rng|noise|gauss|Math\.imul|>>>|2147483647|4294967296|2 ?\*\* ?3[12]/i;

/** Whether one environment follows the seeds of its resets, which training gives each lane and each generation. */
function seeding(make: Make, steps: number, { seed, script }: Omit<ValidationWalk, "steps">): Finding[] {
  const lane = laneOf(at("open", null, make));
  const rowsOf = (own: { readonly seed?: number }): string[] => {
    const rows: string[] = [];
    for (const { row, ended } of played(lane, steps, { ...own, actions: seed })) {
      rows.push(row());
      if (ended) break;
    }
    return rows;
  };
  const areAlike = (episode: (i: number) => readonly string[]): boolean =>
    new Set(Array.from({ length: SEEDS }, (_, i) => episode(i).join(" / "))).size === 1;
  const repeated = differences(rowsOf({ seed }), rowsOf({ seed }));
  if (repeated.length > 0) return repeated;
  const ignores = areAlike((i) => rowsOf({ seed: seed + i }));
  const repeats =
    !ignores &&
    areAlike((i) => {
      // An environment may take its beginnings in turn: their number is passed over unevenly.
      if (i % 2 === 1) at("reset", 0, () => lane.reset({}));
      return rowsOf({});
    });
  at("close", steps, () => lane.close());
  const finding = { level: "warning", call: "reset", step: 0 } as const;
  if (ignores && CHANCE.test(script))
    return [
      {
        ...finding,
        found: `the same numbers with ${SEEDS} seeds`,
        allowed: "other random numbers with another seed",
        what: `reset ignores its seed: with ${SEEDS} seeds it began the same episode, so all lanes play alike; derive all random numbers from reset's seed. If nothing is random, this is right`,
      },
    ];
  if (!repeats) return [];
  return [
    {
      ...finding,
      found: `the same numbers in ${SEEDS} episodes without a seed`,
      allowed: "other random numbers in the next episode",
      what: `reset without a seed began the same episode ${SEEDS} times; let the random numbers of the last seed continue there, instead of seeding again`,
    },
  ];
}

/** Whether another environment goes on from a saved state as the one that saved it. */
function saving(make: Make, steps: number, seed: number): Finding[] {
  const environment = at("open", null, make);
  if (!environment.save) return [];
  const [lane, other] = [laneOf(environment), laneOf(at("open", null, make))];
  let from = at("reset", 0, () => lane.goOn(seed, null, null)).info;
  for (const { info } of played(lane, steps, { from, actions: seed })) from = info;
  const places = at("save", steps, () => lane.places());
  const rowsOf = (own: SyncVectorEnvironment): string[] => {
    const rows: string[] = [];
    for (const { row, ended } of played(own, steps, { from, actions: seed + 1 })) {
      rows.push(row());
      if (ended) break;
    }
    return rows;
  };
  const onward = rowsOf(lane);
  at("load", steps, () => other.goOn(seed, places, null));
  const [found] = differences(onward, rowsOf(other));
  for (const own of [lane, other]) at("close", steps, () => own.close());
  if (!found) return [];
  return [
    {
      ...found,
      call: "load",
      allowed: "the same numbers as where the state was saved",
      what: `load(state) did not go on where save() was called: step ${found.step} returned other numbers; save and load all that later steps depend on`,
    },
  ];
}

/** Sums of rewards of a game that are more than rounding. */
const UNEVEN = 1e-6;

/** Games that self-play cannot train in. */
function unfair({ environment, uneven }: Walk): Finding[] {
  if (!(environment instanceof OwnGame)) return [];
  const { players } = environment;
  const finding = { level: "error", step: null } as const;
  const allowed = "games of two players, in which one wins what the other loses";
  if (players.length !== 2)
    return [
      {
        ...finding,
        call: "open",
        found: `${players.length} players`,
        allowed,
        what: `possible_agents: found ${players.length} players (${players.join(", ")}), allowed in training: ${allowed}`,
      },
    ];
  if (!uneven) return [];
  const found = players.map((player, i) => `${player}: ${uneven.rewards[i]}`).join(", ");
  return [
    {
      ...finding,
      call: "step",
      step: uneven.step,
      found,
      allowed: "rewards that sum to 0",
      what: `step ${uneven.step}: rewards: found ${found}, allowed in training: rewards that sum to 0, because one player wins what the other loses`,
    },
  ];
}

/** Games in which an illegal move is tried. */
const ILLEGAL_TRIES = 20;

/** Whether a game takes moves that its mask forbids. */
function permissive(make: Make, steps: number, seed: number): Finding[] {
  const environment = at("open", null, make);
  if (!(environment instanceof OwnGame)) return [];
  const lane = laneOf(environment);
  const { single_action_space: space } = lane;
  if (space.kind !== "Discrete") return [];
  try {
    for (let game = 0; game < Math.min(steps, ILLEGAL_TRIES); game++) {
      let [mask, taken]: [Float32Array | null, number] = [null, 0];
      for (const { info, ended, taken: now } of played(lane, game, {
        seed: seed + game,
        actions: seed + game,
      })) {
        mask = ended ? null : legalAfter(now === 0 ? "reset" : "step", now, lane, info);
        taken = now;
        if (ended) break;
      }
      const move = mask ? mask.indexOf(0) : -1;
      if (move < 0) continue;
      if (refuses(lane, space.start + move)) continue;
      return [
        {
          level: "error",
          call: "step",
          step: taken + 1,
          found: `move ${space.start + move}, which action_mask forbids, and no error`,
          allowed: "an error for illegal moves",
          what: `step ${taken + 1} took move ${space.start + move}, which action_mask forbids; throw an error there, or correct the mask`,
        },
      ];
    }
    return [];
  } finally {
    at("close", null, () => lane.close());
  }
}

function refuses(lane: SyncVectorEnvironment, move: number): boolean {
  try {
    lane.step([move]);
    return false;
  } catch {
    return true;
  }
}

/** Numbers as exact text, except for the sign of NaN, which no lane lets through. */
const text = (values: ArrayLike<number>): string => Array.from(values).join(",");

const forbidding = (mask: Float32Array | null): string => (mask?.includes(0) ? ` mask ${text(mask)}` : "");

/** Differences in a second walk with the same seed and actions. */
function differences(rows: readonly string[], again: readonly string[]): Finding[] {
  const step = again.findIndex((row, i) => row !== rows[i]);
  if (step < 0) return [];
  const call = step === 0 ? "reset" : "step";
  return [
    {
      level: "error",
      call,
      step,
      found: `${again[step]} after ${rows[step]}`.slice(0, 300),
      allowed: "the same numbers from the same seed and actions",
      what: `${call} ${step} returned different numbers when repeated with the same seed and actions; derive all random numbers from reset's seed, and restore all state in reset`,
    },
  ];
}

function endings({ environment, episodes, longest }: Walk, steps: number): Finding[] {
  const { max_episode_steps: limit } = environment.spec;
  if (limit !== null && longest > limit)
    return [
      {
        level: "warning",
        call: "step",
        step: limit,
        found: `an episode of ${longest} steps`,
        allowed: `at most ${limit} (spec.max_episode_steps)`,
        what: `an episode continued beyond spec.max_episode_steps (${limit}); return truncated: true at that step, or set max_episode_steps in env_config`,
      },
    ];
  if (episodes > 0 || limit !== null) return [];
  return [
    {
      level: "warning",
      call: "step",
      step: steps,
      found: `no end in ${steps} random steps`,
      allowed: "episodes that end, or a time limit",
      what: `no episode ended in ${steps} random steps; return terminated or truncated: true at some step, or set max_episode_steps in env_config`,
    },
  ];
}
