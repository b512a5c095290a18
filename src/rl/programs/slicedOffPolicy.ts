/**
 * A turn of an off-policy member as two programs, so that many workgroups learn for one member. `play` ends the learning
 * step that is under way, then plays until the next one is earned and draws its batch; `gradients`, for each slice of the
 * batch, computes the gradients of its rows. They take turns until the turn is over; then they do nothing.
 */
import type { Program, Tensor } from "../../kernels/index.ts";
import {
  add,
  cast,
  constant,
  dimValue,
  greater,
  iota,
  minimum,
  reinterpret,
  scan,
  select,
  state,
  sub,
  sym,
  takeRows,
  trace,
} from "../../kernels/index.ts";
import type { CompiledEnvironment } from "../environments/compiledEnvironment.ts";
import { counter, SYMBOLS } from "./inputs.ts";
import { applyDelayed, applyGradients, readNetworks } from "./learning.ts";
import {
  type DrawnBatch,
  drawBatch,
  earnedSteps,
  knownBatch,
  type OffPolicyStructure,
  playStep,
  requireErrors,
  turnTotal,
} from "./offPolicy.ts";
import { gather, reprioritise } from "./priorities.ts";
import { takeTransitions } from "./replay.ts";
import type { MemoryKind, TransitionLayout } from "./replayFields.ts";
import { averaged, ownSlice, slicePart } from "./slices.ts";

/** Vector steps that one run of `play` takes at most. */
export const MOST_PLAYED = 16;

const batch = sym(SYMBOLS.batch);

/** Names of i32 scalars: 1 while a batch was drawn and not learned from, else 0; learning steps earned and not done. */
export const LEARNING = { active: "learning.active", due: "learning.due" } as const;
const active = () => state(LEARNING.active, [], { dtype: "i32" });
const due = () => state(LEARNING.due, [], { dtype: "i32" });
/** Errors of the batch's transitions, in a memory that samples by priority. */
const errors = () => state("learning.errors", [batch]);

/** The buffers of the batch that was drawn. */
function drawnStates({ prioritized }: MemoryKind) {
  const rows = (name: string) => state(`drawn.${name}`, [batch], { dtype: "i32" });
  return {
    drawn: { index: rows("index"), owner: rows("owner"), following: rows("following") },
    ...(prioritized ? { weight: state("drawn.weight", [batch]) } : {}),
  };
}

function keep({ drawn, weight }: DrawnBatch, memory: MemoryKind): void {
  const kept = drawnStates(memory);
  kept.drawn.index.write(drawn.index);
  kept.drawn.owner.write(drawn.owner);
  kept.drawn.following.write(drawn.following);
  if (weight) kept.weight?.write(weight);
}

/** The batch that was drawn, or its given rows (i32 [n]), as networks take it. */
function keptBatch(layout: TransitionLayout, memory: MemoryKind, rows?: Tensor) {
  const { drawn, weight } = drawnStates(memory);
  const at = (x: Tensor) => (rows ? takeRows(x, rows) : x);
  const transitions = takeTransitions(
    layout,
    {
      index: at(drawn.index.read()),
      owner: at(drawn.owner.read()),
      following: at(drawn.following.read()),
    },
    memory,
  );
  return knownBatch(layout, {
    ...transitions,
    ...(rows ? { row: reinterpret(rows, "u32") } : {}),
    ...(weight ? { weight: at(weight.read()) } : {}),
  });
}

/** The gradients of one slice of the batch, and what else it learned. */
export function batchGradientsProgram(
  structure: OffPolicyStructure,
  env: CompiledEnvironment,
  memory: MemoryKind,
): Program {
  const { algorithm, hyperparameters } = structure;
  return trace(`${algorithm.name}.gradients`, () => {
    scan({ count: active().read(), carry: [] }, () => {
      const networks = readNetworks(structure);
      const rows = add(iota(slicePart.size), dimValue(slicePart.first, "i32"));
      const learned = algorithm.learn(networks, keptBatch(env, memory, rows), hyperparameters);
      const own = ownSlice();
      own.leaveLearned(structure, networks, learned.losses, learned.metrics);
      own.leaveWeight(dimValue(slicePart.size));
      if (memory.prioritized) errors().writeRows(rows, requireErrors(structure, learned.priority));
      return { carry: [] };
    });
  });
}

/** Ends the learning step that is under way, from the slices' gradients. */
function endStep(structure: OffPolicyStructure, env: CompiledEnvironment, memory: MemoryKind): void {
  scan({ count: active().read(), carry: [] }, () => {
    const networks = readNetworks(structure);
    const { value: _, ...learned } = averaged(structure, networks);
    applyGradients(structure, networks, learned);
    // Its gradients are those of the networks as they are now, so it is no part of the slices.
    if (structure.algorithm.delayed) applyDelayed(structure, keptBatch(env, memory));
    if (memory.prioritized) reprioritise(drawnStates(memory).drawn.index.read(), errors().read());
    const draw = counter("draw");
    draw.write(add(draw.read(), 1));
    due().write(sub(due().read(), 1));
    active().write(constant(0, "i32"));
    return { carry: [] };
  });
}

/** The end of a learning step, vector steps until another is earned, and its batch. */
export function playProgram(
  structure: OffPolicyStructure,
  env: CompiledEnvironment,
  memory: MemoryKind,
): Program {
  return trace(`${structure.algorithm.name}.play`, () => {
    endStep(structure, env, memory);
    const played = counter("vector_step").read();
    if (memory.prioritized) gather(played);
    const left = minimum(sub(turnTotal(), played), MOST_PLAYED);
    scan({ count: select(greater(due().read(), 0), 0, left), carry: [] }, () => {
      playStep(structure, env, memory);
      due().write(earnedSteps());
      return { carry: [], until: greater(due().read(), 0) };
    });
    const isDue = greater(due().read(), 0);
    scan({ count: cast(isDue, "i32"), carry: [] }, () => {
      keep(drawBatch(counter("draw").read(), memory), memory);
      active().write(constant(1, "i32"));
      return { carry: [] };
    });
  });
}
