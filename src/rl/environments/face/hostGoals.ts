/** Rewards and ends that environments in JavaScript compute for goals. */
import { describeValue, isArrayLike, requireGoals, type Space } from "../../spaces.ts";
import { EnvironmentError, thrownBy } from "./EnvironmentError.ts";
import type { HostEnvironment } from "./HostEnvironment.ts";

/** Goals of n steps, each f32 [n, numbers of a goal]. */
export interface GoalBatch {
  readonly achieved: Float32Array;
  readonly desired: Float32Array;
}

/** What steps with such goals give, [n]. */
export interface GoalOutcome {
  readonly reward: Float32Array;
  /** 1 where the task ends; null if that does not depend on the goal. */
  readonly terminated: Uint8Array | null;
}

/** The methods of an environment with goals. */
type Goals = Pick<HostEnvironment, "compute_reward" | "compute_terminated">;

/**
 * Calls an environment's `compute_reward`, and `compute_terminated` if it has that.
 * @param place Name of the environment, for messages.
 * @throws EnvironmentError where it has none, or it throws or gives something else than a finite number for each goal.
 */
export function goalOutcome(
  environment: Goals,
  { achieved, desired }: GoalBatch,
  size: number,
  place: string,
): GoalOutcome {
  const rowsOf = (all: Float32Array): Float32Array[] =>
    Array.from({ length: all.length / size }, (_, i) => all.slice(i * size, (i + 1) * size));
  const [own, wanted] = [rowsOf(achieved), rowsOf(desired)];
  const infos = own.map(() => ({}));
  const called = (name: "compute_reward" | "compute_terminated"): number[] => {
    const where = `${place}: env.${name}()`;
    if (typeof environment[name] !== "function")
      throw new EnvironmentError(
        `${where}: found ${describeValue(environment[name])}, allowed a function, for hindsight`,
      );
    let found: unknown;
    try {
      found = environment[name](own, wanted, infos);
    } catch (error) {
      throw thrownBy(where, error);
    }
    const numbers = isArrayLike(found) ? Array.from(found as ArrayLike<unknown>, Number) : null;
    if (numbers?.length === own.length && numbers.every((x) => Number.isFinite(Math.fround(x))))
      return numbers;
    const what = numbers ? `[${numbers.slice(0, 8).join(", ")}]` : describeValue(found);
    throw new EnvironmentError(
      `${where}: found ${what}, allowed a list of ${own.length} finite numbers, one for each goal`,
    );
  };
  return {
    reward: Float32Array.from(called("compute_reward")),
    terminated: environment.compute_terminated
      ? Uint8Array.from(called("compute_terminated"), (ends) => Number(ends !== 0))
      : null,
  };
}

/** A step whose reward and end goals should give as well. */
interface GoalStep {
  readonly observation: ArrayLike<number>;
  readonly reward: number;
  readonly terminated: boolean;
}

/** Describes how a step's reward or end differs from what its goals give; null if it does not, or without goals. */
export function goalFault(environment: Goals, space: Space, step: GoalStep, place: string): string | null {
  if (!environment.compute_reward) return null;
  const { achieved_goal, desired_goal } = requireGoals(space, place);
  const of = ({ start, size }: typeof achieved_goal): Float32Array =>
    Float32Array.from({ length: size }, (_, i) => step.observation[start + i] as number);
  const goals = { achieved: of(achieved_goal), desired: of(desired_goal) };
  const { reward, terminated } = goalOutcome(environment, goals, achieved_goal.size, place);
  const shown = `achieved_goal [${goals.achieved.join(", ")}], desired_goal [${goals.desired.join(", ")}]`;
  const [found = Number.NaN] = reward;
  if (!(Math.abs(found - step.reward) <= 1e-5 * Math.max(1, Math.abs(step.reward))))
    return `reward: found ${step.reward}, allowed ${found}, which compute_reward gives; ${shown}`;
  if (terminated === null || (terminated[0] === 1) === step.terminated) return null;
  return `terminated: found ${step.terminated}, allowed ${terminated[0] === 1}, which compute_terminated gives; ${shown}`;
}
