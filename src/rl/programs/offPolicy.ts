/**
 * Programs of off-policy members: a turn of acting and learning, a single learning step, and acting alone.
 */
import {
  add,
  and,
  cast,
  concat,
  type Dim,
  dimValue,
  div,
  equal,
  floor,
  greater,
  greaterEqual,
  iota,
  less,
  lessEqual,
  maximum,
  minimum,
  mul,
  or,
  type Program,
  reshape,
  type State,
  scan,
  select,
  slice,
  state,
  sub,
  sym,
  type Tensor,
  trace,
} from "../../kernels/index.ts";
import { appliedAction, environmentAction, legalActions, policyAction } from "../contract/choices.ts";
import { counter, countHyperparameter, SYMBOLS, uniforms } from "../contract/inputs.ts";
import type { Batch, OffPolicyAlgorithm, Outcome } from "../contract/offPolicy.ts";
import { carryState, observed, vectorStep } from "../environments/compiled/vectorStep.ts";
import type { CompiledEnvironment } from "../environments/definition/compiledEnvironment.ts";
import { type AgentSpaces, elementSize } from "../spaces.ts";
import { withDemonstrations } from "./demonstrations.ts";
import { drawGoals } from "./hindsight.ts";
import { lanesBegin, lanesEnd } from "./laneBuffers.ts";
import { episodeStatistics, lanes, networkInput, resetLanes, stepDraws } from "./lanes.ts";
import { type AgentStructure, applyDelayed, applyLearning, readLearner, readNetworks } from "./learning.ts";
import { learnObservations, learnReturns, learntRewards } from "./normalization.ts";
import { drawByPriority, gather, reprioritise, welcome } from "./priorities.ts";
import { append, type Drawn, drawUniformly, visibleCount } from "./replay.ts";
import {
  type GoalSpaces,
  HAD_LEFT,
  keptMask,
  type MemoryKind,
  observationField,
  replayFields,
} from "./replayFields.ts";
import { packed, stateType } from "./rowLayout.ts";
import { followSchedules } from "./schedules.ts";
import { learntForms } from "./symmetries.ts";
import { takeTransitions } from "./transitions.ts";

export interface OffPolicyStructure extends AgentStructure {
  readonly algorithm: OffPolicyAlgorithm;
}

/**
 * Actions of all lanes, as the replay buffer stores them (`action`) and as the environment takes them
 * (`applied`).
 */
interface Explored {
  readonly action: Tensor;
  readonly applied: Tensor;
}

/** Chooses the actions of all lanes; epsilon decays once per vector step. */
function explore(
  structure: OffPolicyStructure,
  layout: AgentSpaces,
  obs: Tensor,
  step: Tensor,
  n: Dim,
  mask?: Tensor,
): Explored {
  const { algorithm, hyperparameters } = structure;
  const epsilon = state("epsilon");
  const networks = readNetworks(structure, algorithm.policies);
  const action = algorithm.act(
    networks,
    networkInput(structure, layout.observation_space, obs),
    {
      epsilon: epsilon.read(),
      draws: (many) => uniforms("explore", step, n, many),
      waiting: isWaiting(),
      step,
      begins: lanesBegin(step),
      ...(mask ? { mask } : {}),
      spaces: layout,
    },
    hyperparameters,
  );
  epsilon.write(maximum(mul(epsilon.read(), state("eps_decay").read()), state("eps_end").read()));
  return {
    action: environmentAction(layout.action_space, action),
    applied: appliedAction(algorithm, networks, action, layout.action_space),
  };
}

/** Converts a batch of the replay buffer to network inputs. */
export function knownBatch(structure: AgentStructure, layout: AgentSpaces, batch: Batch): Batch {
  const legal = keptMask(layout);
  const numbers = elementSize(layout.observation_space);
  const alone = (obs: Tensor) =>
    legal === 0
      ? obs
      : reshape(slice(obs, 0, numbers), [obs.shape[0] as Dim, ...layout.observation_space.shape]);
  const forms = learntForms(layout, batch.row);
  const seen = (obs: Tensor) =>
    forms.observation(networkInput(structure, layout.observation_space, alone(obs)));
  const maskOf = (obs: Tensor) => (legal === 0 ? {} : { mask: forms.actions(slice(obs, numbers, legal)) });
  const input = <T extends Outcome>(outcome: T): T => {
    const { mask: next_mask } = maskOf(outcome.next_obs);
    return { ...outcome, ...(next_mask && { next_mask }), next_obs: seen(outcome.next_obs) };
  };
  const several = layout.observation_space.kind === "Agents";
  return {
    ...input(batch),
    ...(several && { present: cast(less(batch.done, HAD_LEFT), "f32"), done: minimum(batch.done, 1) }),
    ...maskOf(batch.obs),
    obs: seen(batch.obs),
    action: forms.action(policyAction(layout.action_space, batch.action)),
    ...(batch.one_step ? { one_step: input(batch.one_step) } : {}),
  };
}

/**
 * One learning step from a batch of the replay buffer. Returns the errors of its transitions if the algorithm
 * computes them.
 */
export function learnOnce(
  structure: OffPolicyStructure,
  layout: AgentSpaces,
  batch: Batch,
): Tensor | undefined {
  const learner = readLearner(structure);
  const known = knownBatch(structure, layout, batch);
  const { networks, values } = learner;
  const learned = structure.algorithm.learn(networks, known, structure.hyperparameters, values, layout);
  applyLearning(structure, learner, learned);
  applyDelayed(structure, layout, known);
  return learned.priority;
}

/** A member learns once it can see more transitions than this, i32. */
const learningDelay = (): Tensor => state("learning_delay", [], { dtype: "i32" }).read();

/** Whether a learning delay is set and not over yet, bool. */
function isWaiting(): Tensor {
  const delay = learningDelay();
  return and(greater(delay, 0), lessEqual(visibleCount(), delay));
}

/** Name of an f32 scalar: the credit that a vector step earns, if the population's transitions count. */
export const LEARN_EARNED = "learn_earned";

/**
 * Learning steps earned by one more vector step, i32: one per `learn_step` of credit. The credit is one for
 * each lane; if the memory is shared, it is what the turn says.
 * @param isExact Whether it is the same number where division is not correctly rounded.
 */
export function earnedSteps({ shared }: MemoryKind, isExact = shared): Tensor {
  const credit = state("learn_credit");
  const price = cast(countHyperparameter("learn_step"), "f32");
  const earned = add(credit.read(), shared ? state(LEARN_EARNED).read() : dimValue(lanes));
  const quotient = floor(div(earned, price));
  const steps = isExact ? exactly(quotient, earned, price) : quotient;
  credit.write(sub(earned, mul(steps, price)));
  return cast(select(isReady(), steps, 0), "i32");
}

/** Corrects a quotient that is off by one where division is not correctly rounded, as on some GPUs. */
function exactly(quotient: Tensor, dividend: Tensor, divisor: Tensor): Tensor {
  const rest = sub(dividend, mul(quotient, divisor));
  const missing = cast(greaterEqual(rest, divisor), "f32");
  return sub(add(quotient, missing), cast(less(rest, 0), "f32"));
}

/** Whether the replay buffer has enough transitions to learn from, bool. */
function isReady(): Tensor {
  const seen = visibleCount();
  return and(greaterEqual(seen, dimValue(sym(SYMBOLS.batch), "i32")), greater(seen, learningDelay()));
}

/** Learning steps after each vector step, i32. */
const stepsEachTime = (): Tensor => cast(select(isReady(), countHyperparameter("learn_step"), 0), "i32");

/** A batch of the replay buffer: its transitions, and importance weights when sampling by priority. */
export interface DrawnBatch {
  readonly drawn: Drawn;
  readonly weight?: Tensor;
}

/** Draws the batch with number `step`. */
export function drawBatch(step: Tensor, { prioritized, her, demonstrations }: MemoryKind): DrawnBatch {
  if (prioritized) return drawByPriority(step, demonstrations);
  const drawn = drawUniformly(step);
  if (demonstrations !== undefined) return { drawn: withDemonstrations(drawn, demonstrations, step) };
  return { drawn: her ? { ...drawn, goal: drawGoals(step, drawn, her) } : drawn };
}

/** Sets scheduled values as of the start of the last vector step, which has been counted. */
export const followSteps = (structure: OffPolicyStructure): void =>
  followSchedules(structure, () => sub(counter("vector_step").read(), 1));

/** Sets scheduled values for the next learning step of a member that only learns. */
export const followDraws = (structure: OffPolicyStructure): void =>
  followSchedules(structure, () => counter("draw").read());

/** Runs the learning steps that the last vector step earned. */
function learnEarned(structure: OffPolicyStructure, layout: GoalSpaces, memory: MemoryKind): void {
  followSteps(structure);
  const draw = counter("draw");
  const each = structure.algorithm.learnsEachStep && !memory.shared;
  scan({ count: each ? stepsEachTime() : earnedSteps(memory), carry: [] }, () => {
    learnDrawn(structure, layout, memory, draw);
    return { carry: [] };
  });
}

/** One learning step from a batch of the replay buffer; `draw` counts the batches. */
function learnDrawn(
  structure: OffPolicyStructure,
  layout: GoalSpaces,
  memory: MemoryKind,
  draw: State,
): void {
  const step = draw.read();
  const { drawn, ...weight } = drawBatch(step, memory);
  const errors = learnOnce(structure, layout, {
    ...takeTransitions(layout, drawn, memory, structure),
    ...weight,
  });
  if (memory.prioritized) reprioritise(drawn.index, requireErrors(structure, errors), drawn.shown);
  draw.write(add(step, 1));
}

/**
 * `turn.steps` learning steps from a replay buffer that is only read: the turn of a member that learns from a
 * data set.
 */
export function lessonsProgram(
  structure: OffPolicyStructure,
  layout: GoalSpaces,
  memory: MemoryKind,
): Program {
  return trace(`${structure.algorithm.name}.lessons`, () => {
    const draw = counter("draw");
    scan({ count: state("turn.steps", [], { dtype: "i32" }).read(), carry: [] }, () => {
      followDraws(structure);
      learnDrawn(structure, layout, memory, draw);
      return { carry: [] };
    });
  });
}

/**
 * @throws TypeError when the algorithm computed no errors, so it cannot learn from a prioritised replay
 *   buffer.
 */
export function requireErrors({ algorithm }: OffPolicyStructure, errors: Tensor | undefined): Tensor {
  if (!errors) throw new TypeError(`${algorithm.name}: learn() gave no priorities`);
  return errors;
}

/** A step of all lanes. */
interface StepRows {
  readonly obs: Tensor;
  readonly reward: Tensor;
  /** Whether the lane's episode ended, bool [lanes]. */
  readonly done: Tensor;
  /** Several agents: 1 for those that took part, [lanes, agents]. */
  readonly present: Tensor | undefined;
}

/** Updates the statistics that observations and rewards are scaled by. */
function learnStatistics(
  { normalization }: OffPolicyStructure,
  { observation_space }: AgentSpaces,
  { obs, reward, done, present }: StepRows,
): void {
  if (!normalization) return;
  const field = observationField(observation_space);
  learnObservations(normalization, observation_space, field, packed(field, obs), present);
  const step = (x: Tensor) => reshape(x, [1, ...x.shape]);
  learnReturns(normalization, {
    reward: step(reward),
    done: step(cast(done, "f32")),
    present: present && step(present),
  });
}

/**
 * In every lane: acts, steps the environment and stores the transition.
 * @param keepsEpisodes Whether single episodes are kept, not only their mean.
 */
export function playStep(
  structure: OffPolicyStructure,
  env: CompiledEnvironment,
  memory: MemoryKind,
  keepsEpisodes: boolean,
): void {
  const layout: AgentSpaces = env;
  const vectorSteps = counter("vector_step");
  const step = vectorSteps.read();
  const environment = carryState(env, lanes);
  const before = environment.read();
  const obs = observed(env, before);
  const mask = env.actionMask?.(before.state);
  const { action, applied } = explore(structure, layout, obs, step, lanes, mask);
  const result = vectorStep(env, before, applied, stepDraws(env, step));
  const { reward, next_obs, terminated, done } = result;
  const rows = {
    obs: withMask(layout, obs, mask),
    action,
    reward,
    next_obs: withMask(layout, next_obs, env.actionMask?.(result.next_state)),
    done: doneRows(cast(terminated, "f32"), before.left),
  };
  const stored = append(layout, { ...rows, ended: endedRows(done, step) }, lanes);
  if (memory.prioritized) welcome(stored);
  learnStatistics(structure, layout, { obs, reward, done, present: result.present });
  episodeStatistics().add(reward, done, keepsEpisodes ? step : undefined);
  structure.algorithm.ended?.(done, env.action_space, structure.hyperparameters);
  environment.write(result.carry);
  vectorSteps.write(add(step, 1));
}

/** `done` as the replay buffer stores it; `left`: 1 for agents that had left before the step. */
const doneRows = (terminated: Tensor, left: Tensor | undefined): Tensor =>
  left ? add(terminated, mul(left, HAD_LEFT - 1)) : terminated;

/** `turn.steps` vector steps in a compiled environment, with the learning steps that they earn. */
export function turnProgram(
  structure: OffPolicyStructure,
  env: CompiledEnvironment,
  memory: MemoryKind,
  keepsEpisodes = false,
): Program {
  return trace(`${structure.algorithm.name}.turn`, () => {
    if (memory.prioritized) gather(counter("vector_step").read());
    scan({ count: state("turn.steps", [], { dtype: "i32" }).read(), carry: [] }, () => {
      playStep(structure, env, memory, keepsEpisodes);
      learnEarned(structure, env, memory);
      return { carry: [] };
    });
  });
}

/** Vector steps of the whole turn, i32; for members that only learn, its learning steps. */
export const turnTotal = (): Tensor => state("turn.total", [], { dtype: "i32" }).read();

/**
 * 1 in lanes whose next row begins another episode: where one ended, and in all lanes after the turn's last
 * step, unless a later turn may go on.
 */
function endedRows(done: Tensor, step: Tensor): Tensor {
  const isLast = and(equal(add(step, 1), turnTotal()), lanesEnd());
  return cast(or(done, isLast), "f32");
}

/** Starts a new episode in every lane of a compiled environment. */
export const resetProgram = (env: CompiledEnvironment): Program =>
  trace(`${env.id}.reset`, () => resetLanes(env));

/**
 * For host environments: chooses actions for `act.obs` among those that `act.mask` allows. Writes them to
 * `act.applied` as the environment takes them, and to `act.action` as the replay buffer stores them.
 */
export function actProgram(structure: OffPolicyStructure, layout: AgentSpaces): Program {
  return trace(`${structure.algorithm.name}.act`, () => {
    const vectorSteps = counter("vector_step");
    const step = vectorSteps.read();
    const obs = state("act.obs", [lanes, ...layout.observation_space.shape]).read();
    const explored = explore(structure, layout, obs, step, lanes, legalActions(layout, lanes));
    for (const [name, x] of Object.entries(explored))
      state(`act.${name}`, x.shape, { dtype: x.dtype }).write(x);
    vectorSteps.write(add(step, 1));
  });
}

/** Observations [lanes, ...] followed by their masks, if there are any. */
const withMask = ({ observation_space }: AgentSpaces, obs: Tensor, mask: Tensor | undefined): Tensor =>
  mask ? concat([reshape(obs, [lanes, elementSize(observation_space)]), mask]) : obs;

/** For host environments: stores the results of the last step (`step.*`). */
export function storeStep(structure: OffPolicyStructure, layout: AgentSpaces, memory: MemoryKind): void {
  const { observation_space, action_space } = layout;
  const dtype = stateType(replayFields(layout).action);
  const number = replayFields(layout).reward.shape;
  const reward = state("step.reward", [lanes, ...number]).read();
  const done = greater(state("step.done", [lanes]).read(), 0);
  // The act program has already counted this step.
  const step = sub(counter("vector_step").read(), 1);
  if (memory.prioritized) gather(step);
  const terminated = state("step.terminated", [lanes, ...number]);
  const legal = keptMask(layout);
  const maskIn = (name: string) => (legal === 0 ? undefined : state(name, [lanes, legal]).read());
  const stored = append(
    layout,
    {
      obs: withMask(layout, state("act.obs", [lanes, ...observation_space.shape]).read(), maskIn("act.mask")),
      action: state("act.action", [lanes, ...action_space.shape], { dtype }).read(),
      reward,
      next_obs: withMask(
        layout,
        state("step.next_obs", [lanes, ...observation_space.shape]).read(),
        maskIn("step.next_mask"),
      ),
      done: terminated.read(),
      ended: endedRows(done, step),
    },
    lanes,
  );
  if (memory.prioritized) welcome(stored);
  if (structure.normalization) {
    const several = observation_space.kind === "Agents";
    learnStatistics(structure, layout, {
      obs: state("act.obs", [lanes, ...observation_space.shape]).read(),
      reward,
      done,
      present: several ? cast(less(terminated.read(), HAD_LEFT), "f32") : undefined,
    });
  }
  episodeStatistics().add(reward, done);
  structure.algorithm.ended?.(done, action_space, structure.hyperparameters);
}

/**
 * For host environments: stores the results of the last step, then runs the learning steps that it earned.
 */
export function storeProgram(structure: OffPolicyStructure, layout: GoalSpaces, memory: MemoryKind): Program {
  return trace(`${structure.algorithm.name}.store`, () => {
    storeStep(structure, layout, memory);
    learnEarned(structure, layout, memory);
  });
}

/**
 * Updates the statistics by a step of all lanes that the caller played: `act.obs`, `step.reward`, `step.done`, and
 * `step.left` with 1 for agents that had left before.
 */
export function statisticsProgram(structure: OffPolicyStructure, layout: AgentSpaces): Program {
  return trace(`${structure.algorithm.name}.statistics`, () => {
    const { observation_space } = layout;
    const { shape } = replayFields(layout).reward;
    const several = observation_space.kind === "Agents";
    learnStatistics(structure, layout, {
      obs: state("act.obs", [lanes, ...observation_space.shape]).read(),
      reward: state("step.reward", [lanes, ...shape]).read(),
      done: greater(state("step.done", [lanes]).read(), 0),
      present: several ? sub(1, state("step.left", [lanes, ...shape]).read()) : undefined,
    });
  });
}

/**
 * One learning step from a batch that the caller supplies (`batch.*`). Writes the transitions' errors to
 * `batch.priority` if the algorithm computes them.
 */
export function learnProgram(structure: OffPolicyStructure, layout: AgentSpaces): Program {
  return trace(`${structure.algorithm.name}.learn`, () => {
    const { action_space } = layout;
    const batch = sym(SYMBOLS.batch);
    const fields = replayFields(layout);
    const dtype = stateType(fields.action);
    const priority = learnOnce(structure, layout, {
      row: iota(batch, "u32"),
      obs: state("batch.obs", [batch, ...fields.obs.shape]).read(),
      action: state("batch.action", [batch, ...action_space.shape], { dtype }).read(),
      reward: learntRewards(structure, layout, state("batch.reward", [batch, ...fields.reward.shape]).read()),
      next_obs: state("batch.next_obs", [batch, ...fields.obs.shape]).read(),
      done: state("batch.done", [batch, ...fields.done.shape]).read(),
      discount: state("batch.discount", [batch]).read(),
      weight: state("batch.weight", [batch]).read(),
    });
    if (priority) state("batch.priority", [batch]).write(priority);
  });
}
