/** A walk with random actions through a person's environment, before anything depends on it. */
import { Random } from "../evolution/random.ts";
import { requireEnvironment } from "../rl/environments/face/requireEnvironment.ts";
import { SyncVectorEnvironment } from "../rl/environments/vector/SyncVectorEnvironment.ts";
import type { Space } from "../rl/spaces/index.ts";
import type { MadeEnvironment } from "./makeEnvironment.ts";
import type { EnvironmentCall, Finding, ValidateReply } from "./messages.ts";

export interface ValidationWalk {
  /** Steps to take; episodes follow one another. */
  readonly steps: number;
  /** Of the actions and of the environment's resets. */
  readonly seed: number;
}

/** Steps that are taken twice from the same seed. */
const SAME_STEPS = 1_000;

type Make = () => MadeEnvironment;

/** What stops a walk. */
class FindingError extends Error {
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.what);
    this.name = "FindingError";
    this.finding = finding;
  }
}

/** Shapes, numbers and types of every step, the same seed twice, ends of episodes, and speed. */
export function validateEnvironment(make: Make, { steps, seed }: ValidationWalk): ValidateReply {
  try {
    const start = performance.now();
    const walk = walked(make, steps, seed);
    const seconds = (performance.now() - start) / 1000;
    const again = walked(make, Math.min(steps, SAME_STEPS), seed);
    const findings = [...differences(walk, again), ...endings(walk, steps)];
    return { findings, steps_per_second: steps / Math.max(seconds, 1e-6) };
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

/** @throws FindingError for what does not fit the face. */
function walked(make: Make, steps: number, seed: number): Walk {
  const environment = at("open", null, make);
  at("open", null, () => requireEnvironment(environment, "environment"));
  const lane = at("open", null, () => new SyncVectorEnvironment([() => environment]));
  const random = new Random({ seed, stream: "validation" });
  const first = at("reset", 0, () => lane.reset({ seed }));
  const rows = [text(first.observation)];
  let [episodes, elapsed, longest] = [0, 0, 0];
  for (let taken = 1; taken <= steps; taken++) {
    const actions = sampled(lane.single_action_space, random);
    const result = at("step", taken, () => lane.step(actions));
    const { final_observation, reward, terminated, truncated } = result;
    if (taken <= SAME_STEPS)
      rows.push(`${text(final_observation)} ${text(reward)} ${text(terminated)} ${text(truncated)}`);
    elapsed++;
    longest = Math.max(longest, elapsed);
    if (!truncated.includes(1) && terminated.includes(0)) continue;
    episodes++;
    elapsed = 0;
  }
  at("close", steps, () => lane.close());
  return { spec: environment.spec, rows, episodes, longest };
}

/** Numbers as text, bit for bit but for the sign of NaN, which no lane lets through. */
const text = (values: ArrayLike<number>): string => Array.from(values).join(",");

function sampled(space: Space, random: Random): readonly number[] {
  const action = space.sample(random);
  return typeof action === "number" ? [action] : Array.from(action);
}

/** Makes a call; what it throws is a finding. */
function at<T>(call: EnvironmentCall, step: number | null, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new FindingError(faultOf(error, call, step));
  }
}

/** "place: found A, allowed B" is how everything here says what is wrong; what a module throws may say anything. */
function faultOf(error: unknown, call: EnvironmentCall, step: number | null): Finding {
  const what = error instanceof Error ? error.message : String(error);
  const [, found = what, allowed = "no error"] =
    /: (\S*: found .*|found .*|threw .*?)(?:, allowed (.*))?$/s.exec(what) ?? [];
  return { level: "error", call, step, found, allowed, what };
}

/** Of a second walk with the same seed and the same actions. */
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
      what: `${call} ${step} gave other numbers when it was called again with seed and actions as before; draw random numbers from reset's seed alone, and put everything back in reset`,
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
        what: `an episode went on beyond spec.max_episode_steps (${limit}); return truncated: true at that step, or set max_episode_steps in env_config`,
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
