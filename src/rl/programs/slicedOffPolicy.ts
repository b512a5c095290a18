/**
 * A turn of an off-policy member as two programs, so that many workgroups learn for one member. `play` ends
 * the current learning step, then plays until the next one is earned and draws its batch. `gradients` runs
 * once for each slice of the batch and computes the gradients of its rows. The two alternate until the turn
 * is over; after that they do nothing. Where delayed learning is due, it takes one more run of both, on the
 * same batch and with the networks as the step left them.
 */
import {
  add,
  and,
  cast,
  constant,
  dimValue,
  equal,
  greater,
  iota,
  minimum,
  type Program,
  reinterpret,
  scan,
  select,
  state,
  sub,
  sym,
  type Tensor,
  takeRows,
  trace,
} from "../../kernels/index.ts";
import { counter, SYMBOLS } from "../contract/inputs.ts";
import type { DelayedLearning } from "../contract/offPolicy.ts";
import type { CompiledEnvironment } from "../environments/definition/compiledEnvironment.ts";
import type { AgentSpaces } from "../spaces.ts";
import { applyDelayedGradients, applyGradients, delayIsOver, readLearner } from "./learning.ts";
import {
  type DrawnBatch,
  drawBatch,
  earnedSteps,
  followDraws,
  followSteps,
  knownBatch,
  type OffPolicyStructure,
  playStep,
  requireErrors,
  storeStep,
  turnTotal,
} from "./offPolicy.ts";
import { gather, reprioritise } from "./priorities.ts";
import type { GoalSpaces, MemoryKind } from "./replayFields.ts";
import { averaged, type LearningPart, ownSlice, slicePart } from "./slices.ts";
import { takeTransitions } from "./transitions.ts";

/** Upper bound of the vector steps in one run of `play`. */
export const MOST_PLAYED = 16;

const batch = sym(SYMBOLS.batch);

/** Names of i32 scalars: the PHASE of learning from the batch; learning steps earned but not done. */
export const LEARNING = { active: "learning.active", due: "learning.due" } as const;
const PHASE = { none: 0, every: 1, delayed: 2 } as const;
const active = () => state(LEARNING.active, [], { dtype: "i32" });
const isPhase = (phase: Tensor, wanted: LearningPart): Tensor => cast(equal(phase, PHASE[wanted]), "i32");
/** Learning steps that are earned but not done, i32 scalar. */
export const due = () => state(LEARNING.due, [], { dtype: "i32" });
/** Errors of the batch's transitions, when sampling by priority. */
const errors = () => state("learning.errors", [batch]);

/** The buffers of the drawn batch. */
export function drawnStates({ prioritized, her }: MemoryKind) {
  const rows = (name: string) => state(`drawn.${name}`, [batch], { dtype: "i32" });
  const drawn = { index: rows("index"), owner: rows("owner"), following: rows("following") };
  return {
    drawn: { ...drawn, ...(her && { goal: rows("goal") }) },
    ...(prioritized ? { weight: state("drawn.weight", [batch]) } : {}),
  };
}

/** Keeps a drawn batch for {@link drawnStates}. */
export function keep({ drawn, weight }: DrawnBatch, memory: MemoryKind): void {
  const kept = drawnStates(memory);
  kept.drawn.index.write(drawn.index);
  kept.drawn.owner.write(drawn.owner);
  kept.drawn.following.write(drawn.following);
  if (drawn.goal) kept.drawn.goal?.write(drawn.goal);
  if (weight) kept.weight?.write(weight);
}

/** The given rows (i32 [n]) of the drawn batch, as network inputs. */
function keptBatch(structure: OffPolicyStructure, layout: GoalSpaces, memory: MemoryKind, rows: Tensor) {
  const { drawn, weight } = drawnStates(memory);
  const at = (x: Tensor) => takeRows(x, rows);
  const transitions = takeTransitions(
    layout,
    {
      index: at(drawn.index.read()),
      owner: at(drawn.owner.read()),
      following: at(drawn.following.read()),
      ...(drawn.goal && { goal: at(drawn.goal.read()) }),
    },
    memory,
    structure,
  );
  return knownBatch(structure, layout, {
    ...transitions,
    row: reinterpret(rows, "u32"),
    ...(weight ? { weight: at(weight.read()) } : {}),
  });
}

/** The gradients, metrics and errors of one slice of the batch. */
export function batchGradientsProgram(
  structure: OffPolicyStructure,
  layout: GoalSpaces,
  memory: MemoryKind,
): Program {
  const { algorithm, hyperparameters } = structure;
  return trace(`${algorithm.name}.gradients`, () => {
    const phase = active().read();
    const learnIn = (part: LearningPart, learn: DelayedLearning["learn"]): void => {
      scan({ count: isPhase(phase, part), carry: [] }, () => {
        const learner = readLearner(structure);
        const rows = add(iota(slicePart.size), dimValue(slicePart.first, "i32"));
        const learned = learn(
          learner.networks,
          keptBatch(structure, layout, memory, rows),
          hyperparameters,
          learner.values,
          layout,
        );
        const own = ownSlice();
        own.leaveLearned(structure, learner, learned.losses, learned.metrics);
        own.leaveWeight(dimValue(slicePart.size));
        if (memory.prioritized && part === "every")
          errors().writeRows(rows, requireErrors(structure, learned.priority));
        return { carry: [] };
      });
    };
    learnIn("every", algorithm.learn);
    if (algorithm.delayed) learnIn("delayed", algorithm.delayed.learn);
  });
}

/** Ends the current learning step, using the gradients of the slices. */
function endStep(structure: OffPolicyStructure, memory: MemoryKind): void {
  const { delayed } = structure.algorithm;
  const phase = active().read();
  scan({ count: isPhase(phase, "every"), carry: [] }, () => {
    const learner = readLearner(structure);
    applyGradients(structure, learner, averaged(structure, learner));
    if (memory.prioritized) reprioritise(drawnStates(memory).drawn.index.read(), errors().read());
    const next = delayed ? select(delayIsOver(delayed), PHASE.delayed, PHASE.none) : constant(PHASE.none);
    active().write(cast(next, "i32"));
    return { carry: [] };
  });
  if (delayed) {
    scan({ count: isPhase(phase, "delayed"), carry: [] }, () => {
      const learner = readLearner(structure);
      applyDelayedGradients(structure, learner, averaged(structure, learner, "delayed"));
      active().write(constant(PHASE.none, "i32"));
      return { carry: [] };
    });
  }
  const ended = and(greater(phase, PHASE.none), equal(active().read(), PHASE.none));
  scan({ count: cast(ended, "i32"), carry: [] }, () => {
    const draw = counter("draw");
    draw.write(add(draw.read(), 1));
    due().write(sub(due().read(), 1));
    return { carry: [] };
  });
}

/** Ends a learning step, takes vector steps until another one is earned, and draws its batch. */
export function playProgram(
  structure: OffPolicyStructure,
  env: CompiledEnvironment,
  memory: MemoryKind,
  keepsEpisodes = false,
): Program {
  return trace(`${structure.algorithm.name}.play`, () => {
    endStep(structure, memory);
    const played = counter("vector_step").read();
    if (memory.prioritized) gather(played);
    const left = minimum(sub(turnTotal(), played), MOST_PLAYED);
    scan({ count: select(greater(due().read(), 0), 0, left), carry: [] }, () => {
      playStep(structure, env, memory, keepsEpisodes);
      followSteps(structure);
      due().write(earnedSteps(memory));
      return { carry: [], until: greater(due().read(), 0) };
    });
    drawDue(memory);
  });
}

/** Name of an i32 scalar: 1 while `step.*` holds a step that is not stored. */
export const STEP_WAITS = "step.waits";

/**
 * Like {@link playProgram}, for host environments: ends a learning step, stores the step that waits, and draws the
 * batch of the next learning step. A step is given only when all earlier learning steps have ended.
 */
export function keepProgram(structure: OffPolicyStructure, layout: AgentSpaces, memory: MemoryKind): Program {
  return trace(`${structure.algorithm.name}.keep`, () => {
    endStep(structure, memory);
    const waits = state(STEP_WAITS, [], { dtype: "i32" });
    scan({ count: waits.read(), carry: [] }, () => {
      storeStep(structure, layout, memory);
      followSteps(structure);
      // The host counts the learning steps as well, and dispatches as many.
      due().write(earnedSteps(memory, true));
      waits.write(constant(0, "i32"));
      return { carry: [] };
    });
    drawDue(memory);
  });
}

/** Draws the batch of the next learning step if one is due and none is in progress. */
function drawDue(memory: MemoryKind): void {
  const isDue = and(greater(due().read(), 0), equal(active().read(), PHASE.none));
  scan({ count: cast(isDue, "i32"), carry: [] }, () => {
    keep(drawBatch(counter("draw").read(), memory), memory);
    active().write(constant(PHASE.every, "i32"));
    return { carry: [] };
  });
}

/**
 * Like {@link playProgram}, for members that only learn: ends a learning step and draws the next batch, until
 * the turn is over.
 */
export function drawProgram(structure: OffPolicyStructure, memory: MemoryKind): Program {
  return trace(`${structure.algorithm.name}.draw`, () => {
    endStep(structure, memory);
    followDraws(structure);
    due().write(sub(turnTotal(), counter("draw").read()));
    drawDue(memory);
  });
}
