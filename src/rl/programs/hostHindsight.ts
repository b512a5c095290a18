/**
 * Hindsight in environments that the host steps. Their rewards of other goals are JavaScript, so a turn has two programs:
 * the one stores a step and draws the batch of the next learning step, the other learns from it once the host has given
 * its rewards, and draws the next.
 */
import {
  add,
  cast,
  greater,
  maximum,
  type Program,
  scan,
  state,
  sub,
  sym,
  type Tensor,
  takeRows,
  trace,
} from "../../kernels/index.ts";
import { counter, SYMBOLS } from "../contract/inputs.ts";
import type { GoalFace } from "../environments/definition/compiledEnvironment.ts";
import type { AgentSpaces } from "../spaces.ts";
import { goalsIn } from "./hindsight.ts";
import {
  drawBatch,
  earnedSteps,
  followSteps,
  learnOnce,
  type OffPolicyStructure,
  storeStep,
} from "./offPolicy.ts";
import { replayStates } from "./replay.ts";
import { type MemoryKind, replayFields } from "./replayFields.ts";
import { unpacked } from "./rowLayout.ts";
import { drawnStates, due, keep } from "./slicedOffPolicy.ts";
import { takeTransitions } from "./transitions.ts";

const batch = sym(SYMBOLS.batch);

/**
 * Names of the buffers between the two: goals of the batch, [batch, numbers of a goal], and what the host makes of them,
 * [batch]. `terminated` begins with the ends that are stored.
 */
export const HOST_GOALS = {
  achieved: "hindsight.achieved",
  desired: "hindsight.desired",
  reward: "hindsight.reward",
  terminated: "hindsight.terminated",
} as const;

/** What the host has given. */
const given: GoalFace = {
  compute_reward: () => state(HOST_GOALS.reward, [batch]).read(),
  compute_terminated: () => greater(state(HOST_GOALS.terminated, [batch]).read(), 0),
  is_success: () => greater(state(HOST_GOALS.terminated, [batch]).read(), 0),
};

/** Draws the next batch, if a learning step is due, and tells its goals. */
function drawDue(layout: AgentSpaces, memory: MemoryKind): void {
  scan({ count: cast(greater(due().read(), 0), "i32"), carry: [] }, () => {
    const { drawn } = drawBatch(counter("draw").read(), memory);
    keep({ drawn }, memory);
    const fields = replayFields(layout);
    const memoryOf = replayStates(layout);
    const nextAt = (rows: Tensor): Tensor =>
      unpacked(fields.next_obs, takeRows(memoryOf.next_obs.read(), rows));
    const wanted = goalsIn(layout, nextAt(maximum(drawn.goal as Tensor, 0))).achieved;
    state(HOST_GOALS.achieved, wanted.shape).write(goalsIn(layout, nextAt(drawn.index)).achieved);
    state(HOST_GOALS.desired, wanted.shape).write(wanted);
    state(HOST_GOALS.terminated, [batch]).write(takeRows(memoryOf.done.read(), drawn.index));
    return { carry: [] };
  });
}

/** @throws RangeError for returns over several steps, whose rewards the host would have to give all. */
export function hindsightStoreProgram(
  structure: OffPolicyStructure,
  layout: AgentSpaces,
  memory: MemoryKind,
): Program {
  if (memory.n_step > 1)
    throw new RangeError(
      `replay_buffer.n_step_buffer: found ${memory.n_step} steps with hindsight, allowed in environments stepped in JavaScript: 1`,
    );
  return trace(`${structure.algorithm.name}.store`, () => {
    storeStep(structure, layout, memory);
    followSteps(structure);
    due().write(earnedSteps(memory));
    drawDue(layout, memory);
  });
}

/** One learning step from the batch that was drawn, and the next draw. */
export function hindsightLearnProgram(
  structure: OffPolicyStructure,
  layout: AgentSpaces,
  memory: MemoryKind,
): Program {
  return trace(`${structure.algorithm.name}.hindsight`, () => {
    const { index, owner, following, goal } = drawnStates(memory).drawn;
    const drawn = {
      index: index.read(),
      owner: owner.read(),
      following: following.read(),
      ...(goal && { goal: goal.read() }),
    };
    learnOnce(structure, layout, takeTransitions({ ...layout, goal: given }, drawn, memory, structure));
    const draw = counter("draw");
    draw.write(add(draw.read(), 1));
    due().write(sub(due().read(), 1));
    drawDue(layout, memory);
  });
}
