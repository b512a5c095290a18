/** Compiled environments whose observations are stacks of the episode's latest ones. */
import { concat, type Dim, reshape, slice, type Tensor } from "../../../kernels/index.ts";
import { elementSize, stackedParts } from "../../spaces.ts";
import { stackedObservations } from "../face/frameStackOption.ts";
import type { CompiledEnvironment } from "./compiledEnvironment.ts";

/** Name of the state variable that holds the stack. */
const STACK = "frame_stack";

/**
 * A compiled environment that observes stacks. The first observation of an episode fills its stack.
 * @throws RangeError as {@link stackedObservations}.
 */
export function stackedEnvironment(environment: CompiledEnvironment, frames: number): CompiledEnvironment {
  const { observation_names: _, ...unnamed } = environment;
  const { id, observation_space: space, variables, variableShapes, goal } = environment;
  if (goal) throw new RangeError(`${id}: frame_stack: found ${frames}, allowed 1: goals are not stacked`);
  const observation_space = stackedObservations(id, space, frames);
  const parts = stackedParts(space, frames);
  const size = elementSize(observation_space);
  const rows = (x: Tensor, width: number): Tensor => reshape(x, [x.shape[0] as Dim, width]);
  /** The environment's own observation in a state, by part. */
  const observed = (state: Readonly<Record<string, Tensor>>): Tensor[] => {
    const obs = rows(environment.observe(state), elementSize(space));
    return parts.map((part) => (parts.length === 1 ? obs : slice(obs, part.start, part.size)));
  };
  const joined = (tensors: readonly Tensor[]): Tensor =>
    tensors.length === 1 ? (tensors[0] as Tensor) : concat([...tensors]);
  return {
    ...unnamed,
    observation_space,
    variables: [...variables, STACK],
    variableShapes: { ...variableShapes, [STACK]: [size] },
    reset: (draws, num_envs) => {
      const state = environment.reset(draws, num_envs);
      const first = observed(state).flatMap((obs, i) =>
        Array.from({ length: parts[i]?.frames ?? 1 }, () => obs),
      );
      return { ...state, [STACK]: joined(first) };
    },
    observe: (state) => {
      const stack = state[STACK] as Tensor;
      return reshape(stack, [stack.shape[0] as Dim, ...observation_space.shape]);
    },
    step: (state, action, draws) => {
      const next = environment.step(state, action, draws);
      const stack = state[STACK] as Tensor;
      const latest = observed(next.state);
      const moved = parts.flatMap(({ size: width, at, frames: kept }, i) => {
        const obs = latest[i] as Tensor;
        return kept === 1 ? [obs] : [slice(stack, at + width, (kept - 1) * width), obs];
      });
      return { ...next, state: { ...next.state, [STACK]: joined(moved) } };
    },
  };
}
