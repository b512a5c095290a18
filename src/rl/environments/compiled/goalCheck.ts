/** Whether an environment's goals give the rewards and ends of its own steps. */
import { Random } from "../../../evolution/random.ts";
import { cast, state, sym, trace } from "../../../kernels/index.ts";
import { requireGoals } from "../../spaces.ts";
import type { CompiledEnvironment } from "../definition/compiledEnvironment.ts";
import { EnvironmentError } from "../face/EnvironmentError.ts";
import { CompiledVectorEnvironment } from "./CompiledVectorEnvironment.ts";
import { prepareProgram } from "./hostPrograms.ts";

const LANES = 4;
const STEPS = 25;
/** Rewards that differ by no more than rounding agree. */
const agrees = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(b));

const checked = new WeakSet<CompiledEnvironment>();

/** `compute_reward` and `compute_terminated` of goals in buffers. */
function goalProgram({ id, goal }: CompiledEnvironment, size: number) {
  const shape = [sym("num_envs"), size];
  return trace(`${id}.goals`, () => {
    const [achieved, desired] = [state("achieved", shape).read(), state("desired", shape).read()];
    const results = {
      compute_reward: goal?.compute_reward(achieved, desired),
      compute_terminated: goal?.compute_terminated?.(achieved, desired),
    };
    for (const [name, found] of Object.entries(results))
      if (found) state(name, found.shape).write(cast(found, "f32"));
  });
}

/**
 * Takes 100 random steps, once for each environment.
 * @throws EnvironmentError naming the first step whose reward or end is not that of its goals.
 * @throws RangeError for observations without goals.
 */
export function requireGoalRewards(env: CompiledEnvironment): void {
  if (checked.has(env)) return;
  const { achieved_goal, desired_goal } = requireGoals(env.observation_space, env.id);
  const program = goalProgram(env, achieved_goal.size);
  const goals = prepareProgram(program, { num_envs: LANES });
  const lanes = new CompiledVectorEnvironment(env, LANES, prepareProgram);
  const random = new Random({ seed: 1, stream: "goals" });
  lanes.reset({ seed: 1 });
  const numbers = (): number[] => {
    const action = env.action_space.sample(random);
    return typeof action === "number" ? [action] : [...action];
  };
  try {
    for (let step = 1; step <= STEPS; step++) {
      const { reward, terminated, final_observation } = lanes.step(
        Array.from({ length: LANES }, numbers).flat(),
      );
      const width = final_observation.length / LANES;
      const of = ({ start, size }: typeof achieved_goal): number[][] =>
        Array.from({ length: LANES }, (_, i) => [
          ...final_observation.slice(i * width + start).slice(0, size),
        ]);
      const [achieved, desired] = [of(achieved_goal), of(desired_goal)];
      goals.write("achieved", achieved.flat());
      goals.write("desired", desired.flat());
      goals.run();
      for (const [name, given] of Object.entries({
        compute_reward: reward,
        compute_terminated: terminated,
      })) {
        const found = program.states.has(name) ? [...goals.read(name)] : [...given];
        const lane = found.findIndex((x, i) => !agrees(x, given[i] as number));
        if (lane < 0) continue;
        throw new EnvironmentError(
          `${env.id}: goal.${name}: found ${found[lane]} for step ${step} of lane ${lane}, allowed ${given[lane]}, as step gave; achieved_goal [${achieved[lane]}], desired_goal [${desired[lane]}]`,
        );
      }
    }
  } finally {
    lanes.close();
    goals.release();
  }
  checked.add(env);
}
