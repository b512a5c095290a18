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
  /** Steps to take, over as many episodes as needed. */
  readonly steps: number;
  /** Seed of the actions and of the environment's resets. */
  readonly seed: number;
}

/** Number of steps that are repeated from the same seed. */
const SAME_STEPS = 1_000;

type Make = () => MadeEnvironment;

/**
 * Checks the shapes, numbers, types and masks of every step, repeatability with one seed, and
 * episode ends. Measures speed.
 */
export function validateEnvironment(make: Make, { steps, seed }: ValidationWalk): ValidateReply {
  try {
    // In Node a sandbox has no other clock.
    const start = Date.now();
    const walk = walked(make, steps, seed);
    const seconds = (Date.now() - start) / 1000;
    const again = walked(make, Math.min(steps, SAME_STEPS), seed);
    const findings = [...differences(walk, again), ...endings(walk, steps)];
    return { findings, steps_per_second: steps / Math.max(seconds, 1e-3) };
  } catch (error) {
    if (!(error instanceof FindingError)) throw error;
    return { findings: [error.finding], steps_per_second: 0 };
  }
}

interface Walk {
  readonly spec: MadeEnvironment["spec"];
  /** The numbers of the first steps: observation, reward, flags. */
  readonly rows: readonly string[];
  readonly episodes: number;
  /** Steps of the longest episode. */
  readonly longest: number;
}

/** @throws FindingError for anything that does not fit the environment interface. */
function walked(make: Make, steps: number, seed: number): Walk {
  const environment = at("open", null, make);
  at("open", null, () => requireEnvironment(environment, "environment"));
  const lane = at("open", null, () => new SyncVectorEnvironment([() => environment]));
  const random = new Random({ seed, stream: "validation" });
  const first = at("reset", 0, () => lane.reset({ seed }));
  let mask = legalAfter("reset", 0, lane, first.info);
  const rows = [text(first.observation)];
  let [episodes, elapsed, longest] = [0, 0, 0];
  for (let taken = 1; taken <= steps; taken++) {
    const actions = sampleLegal(lane.single_action_space, random, mask);
    const result = at("step", taken, () => lane.step(actions));
    const { final_observation, reward, terminated, truncated } = result;
    const lanes = endedLanes(result);
    const ended = lanes[0] === 1;
    // Also checks the mask of the last observation, which methods that learn from transitions read.
    mask = legalAfter("step", taken, lane, result.final_info, overAfter(result, lanes));
    if (ended) mask = legalAfter("reset", taken, lane, result.info);
    if (taken <= SAME_STEPS)
      rows.push(
        `${text(final_observation)} ${text(reward)} ${text(terminated)} ${text(truncated)}${forbidding(mask)}`,
      );
    elapsed++;
    longest = Math.max(longest, elapsed);
    if (!ended) continue;
    episodes++;
    elapsed = 0;
  }
  at("close", steps, () => lane.close());
  return { spec: environment.spec, rows, episodes, longest };
}

/** Numbers as exact text, except for the sign of NaN, which no lane lets through. */
const text = (values: ArrayLike<number>): string => Array.from(values).join(",");

const forbidding = (mask: Float32Array | null): string => (mask?.includes(0) ? ` mask ${text(mask)}` : "");

/** Differences in a second walk with the same seed and actions. */
function differences(walk: Walk, again: Walk): Finding[] {
  const step = again.rows.findIndex((row, i) => row !== walk.rows[i]);
  if (step < 0) return [];
  const call = step === 0 ? "reset" : "step";
  return [
    {
      level: "error",
      call,
      step,
      found: `${again.rows[step]} after ${walk.rows[step]}`.slice(0, 300),
      allowed: "the same numbers from the same seed and actions",
      what: `${call} ${step} returned different numbers when repeated with the same seed and actions; derive all random numbers from reset's seed, and restore all state in reset`,
    },
  ];
}

function endings({ spec, episodes, longest }: Walk, steps: number): Finding[] {
  const { max_episode_steps: limit } = spec;
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
