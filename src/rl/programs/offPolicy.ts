/** Programs of off-policy members: a turn of acting and learning, one learning step, acting alone. */
import { randomUniform } from "../../kernels/functions/random.ts";
import type { Dim, Program, Tensor } from "../../kernels/index.ts";
import {
  add,
  and,
  cast,
  dimValue,
  div,
  floor,
  greater,
  greaterEqual,
  maximum,
  mul,
  scan,
  select,
  state,
  sub,
  sym,
  trace,
} from "../../kernels/index.ts";
import type { Batch, OffPolicyAlgorithm } from "../algorithms/algorithm.ts";
import type { CompiledEnvironment } from "../environments/compiledEnvironment.ts";
import { carryState, vectorStep } from "../environments/vectorStep.ts";
import { environmentAction, legalActions, policyAction } from "./choices.ts";
import { count, counter, randomKey, SYMBOLS } from "./inputs.ts";
import { episodeStatistics, lanes, networkInput, resetLanes, stepDraws } from "./lanes.ts";
import { type AgentStructure, applyLearning, readNetworks } from "./learning.ts";
import { append, sample, type TransitionLayout, visibleCount } from "./replay.ts";

export interface OffPolicyStructure extends AgentStructure {
  readonly algorithm: OffPolicyAlgorithm;
}

/** Actions of all lanes; epsilon shrinks by its decay once per vector step. */
function explore(
  structure: OffPolicyStructure,
  layout: TransitionLayout,
  obs: Tensor,
  step: Tensor,
  n: Dim,
  mask?: Tensor,
): Tensor {
  const { algorithm } = structure;
  const epsilon = state("epsilon");
  const networks = readNetworks(structure, [algorithm.policy]);
  const draws = randomUniform(randomKey("explore", step), n);
  const action = algorithm.act(networks, networkInput(layout.observation_space, obs), {
    epsilon: epsilon.read(),
    draws,
    ...(mask ? { mask } : {}),
  });
  epsilon.write(maximum(mul(epsilon.read(), state("eps_decay").read()), state("eps_end").read()));
  return environmentAction(layout.action_space, action);
}

function learnOnce(structure: OffPolicyStructure, layout: TransitionLayout, batch: Batch): void {
  const { algorithm, hyperparameters } = structure;
  const networks = readNetworks(structure);
  const input = (obs: Tensor) => networkInput(layout.observation_space, obs);
  applyLearning(
    structure,
    networks,
    algorithm.learn(
      networks,
      {
        ...batch,
        obs: input(batch.obs),
        action: policyAction(layout.action_space, batch.action),
        next_obs: input(batch.next_obs),
      },
      hyperparameters,
    ),
  );
}

/** Learning steps that `num_envs` more environment steps have earned: one per `learn_step` of credit. */
function learnEarned(structure: OffPolicyStructure, layout: TransitionLayout): void {
  const credit = state("learn_credit");
  const price = cast(count("learn_step"), "f32");
  const earned = add(credit.read(), dimValue(lanes));
  const steps = floor(div(earned, price));
  credit.write(sub(earned, mul(steps, price)));
  const seen = visibleCount();
  const ready = and(
    greaterEqual(seen, dimValue(sym(SYMBOLS.batch), "i32")),
    greater(seen, state("learning_delay", [], { dtype: "i32" }).read()),
  );
  const draw = counter("draw");
  scan({ count: cast(select(ready, steps, 0), "i32"), carry: [] }, () => {
    const step = draw.read();
    learnOnce(structure, layout, sample(layout, step));
    draw.write(add(step, 1));
    return { carry: [] };
  });
}

/** `turn.steps` vector steps in a compiled environment, with the learning they earn. */
export function turnProgram(structure: OffPolicyStructure, env: CompiledEnvironment): Program {
  return trace(`${structure.algorithm.name}.turn`, () => {
    const layout: TransitionLayout = env;
    scan({ count: state("turn.steps", [], { dtype: "i32" }).read(), carry: [] }, () => {
      const vectorSteps = counter("vector_step");
      const step = vectorSteps.read();
      const environment = carryState(env, lanes);
      const before = environment.read();
      const obs = env.observe(before.state);
      const action = explore(structure, layout, obs, step, lanes);
      const result = vectorStep(env, before, action, stepDraws(env, step));
      append(
        layout,
        {
          obs,
          action,
          reward: result.reward,
          next_obs: result.next_obs,
          done: cast(result.terminated, "f32"),
        },
        lanes,
      );
      episodeStatistics().add(result.reward, result.done);
      environment.write(result.carry);
      vectorSteps.write(add(step, 1));
      learnEarned(structure, layout);
      return { carry: [] };
    });
  });
}

/** New episodes in every lane of a compiled environment. */
export const resetProgram = (env: CompiledEnvironment): Program =>
  trace(`${env.id}.reset`, () => resetLanes(env));

/** For environments of the host: actions for `act.obs` in `act.action`, among those that `act.mask` allows. */
export function actProgram(structure: OffPolicyStructure, layout: TransitionLayout): Program {
  return trace(`${structure.algorithm.name}.act`, () => {
    const vectorSteps = counter("vector_step");
    const step = vectorSteps.read();
    const obs = state("act.obs", [lanes, ...layout.observation_space.shape]).read();
    const action = explore(structure, layout, obs, step, lanes, legalActions(layout, lanes));
    state("act.action", action.shape, { dtype: action.dtype }).write(action);
    vectorSteps.write(add(step, 1));
  });
}

/** For environments of the host: stores what the last step gave (`step.*`), then learns what it earned. */
export function storeProgram(structure: OffPolicyStructure, layout: TransitionLayout): Program {
  return trace(`${structure.algorithm.name}.store`, () => {
    const { observation_space, action_space } = layout;
    const dtype = action_space.kind === "Box" ? "f32" : "i32";
    const reward = state("step.reward", [lanes]).read();
    const ended = state("step.done", [lanes]).read();
    append(
      layout,
      {
        obs: state("act.obs", [lanes, ...observation_space.shape]).read(),
        action: state("act.action", [lanes, ...action_space.shape], { dtype }).read(),
        reward,
        next_obs: state("step.next_obs", [lanes, ...observation_space.shape]).read(),
        done: state("step.terminated", [lanes]).read(),
      },
      lanes,
    );
    episodeStatistics().add(reward, greater(ended, 0));
    learnEarned(structure, layout);
  });
}

/** One learning step from a batch given by the caller (`batch.*`). */
export function learnProgram(structure: OffPolicyStructure, layout: TransitionLayout): Program {
  return trace(`${structure.algorithm.name}.learn`, () => {
    const { observation_space, action_space } = layout;
    const batch = sym(SYMBOLS.batch);
    const dtype = action_space.kind === "Box" ? "f32" : "i32";
    learnOnce(structure, layout, {
      obs: state("batch.obs", [batch, ...observation_space.shape]).read(),
      action: state("batch.action", [batch, ...action_space.shape], { dtype }).read(),
      reward: state("batch.reward", [batch]).read(),
      next_obs: state("batch.next_obs", [batch, ...observation_space.shape]).read(),
      done: state("batch.done", [batch]).read(),
    });
  });
}
