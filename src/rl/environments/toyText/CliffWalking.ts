/** CliffWalking: its grid, its drawing and its definitions. */
import { z } from "zod";
import {
  add,
  and,
  broadcastTo,
  cast,
  equal,
  greater,
  less,
  mul,
  select,
  zeros,
} from "../../../kernels/index.ts";
import { Discrete } from "../../spaces.ts";
import { type CompiledEnvironment, withArguments } from "../definition/compiledEnvironment.ts";
import { randomEnvironment } from "../definition/randomEnvironment.ts";
import type { DrawingContext, DrawingTheme } from "../drawing/drawing.ts";
import { at, centre, flag, gridScene, heading, tile, walker } from "../drawing/scene.ts";
import { type Directions, gridMove, slipped } from "../dynamics/numbers.ts";

const CLIFF_SIZE = { rows: 4, cols: 12 };
const CLIFF_DIRECTIONS: Directions = { up: 0, right: 1, down: 2, left: 3 };

const { rows, cols } = CLIFF_SIZE;
const TEETH = 30;

/** The drop along the bottom row, with a jagged edge. */
function cliff(context: DrawingContext, theme: DrawingTheme): void {
  const [left, right] = [1, cols - 1];
  context.beginPath();
  for (let i = 0; i <= TEETH; i++)
    context.lineTo(left + ((right - left) * i) / TEETH, i % 2 === 0 ? 0.94 : 0.74);
  context.lineWidth = 0.06;
  context.strokeStyle = theme.ink;
  context.stroke();
  context.lineTo(right, 0);
  context.lineTo(left, 0);
  context.closePath();
  context.globalAlpha = 0.45;
  context.fillStyle = theme.muted;
  context.fill();
  context.globalAlpha = 1;
}

/** The land above a cliff, from the start on the left to the flag on the right. State: row, col. */
const drawCliffWalking = gridScene(CLIFF_SIZE, (context, state, action, theme) => {
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const overEdge = row === rows - 1 && col > 0 && col < cols - 1;
      const start = row === rows - 1 && col === 0;
      if (!overEdge) tile(context, centre(rows, row, col), theme.muted, start ? 0.4 : 0.18);
    }
  }
  cliff(context, theme);
  flag(context, cols - 0.64, 0.18, 0.66, theme);
  walker(context, centre(rows, at(state, 0), at(state, 1)), heading(action, CLIFF_DIRECTIONS), theme);
});

const BOTTOM = CLIFF_SIZE.rows - 1;
const LAST = CLIFF_SIZE.cols - 1;

/** Gymnasium sets no limit; without one, evaluating an agent that never arrives would not end. */
const MAX_STEPS = 500;

/**
 * A walk along the edge of a cliff, from the lower left to the lower right corner (Sutton and Barto, example
 * 6.6). Reward is -1 per step; a step over the edge has reward -100 and leads back to the start. On slippery
 * ground, a step goes in the chosen direction, or to its left or right, with probability 1/3 each.
 * @param slippery Default of the option `is_slippery`.
 */
const cliffWalking = (id: string, slippery: boolean): CompiledEnvironment =>
  withArguments(id, { is_slippery: z.boolean().default(slippery) }, ({ is_slippery }) =>
    randomEnvironment({
      id,
      observation_space: new Discrete(CLIFF_SIZE.rows * CLIFF_SIZE.cols),
      action_space: new Discrete(4),
      action_names: ["up", "right", "down", "left"],
      max_episode_steps: MAX_STEPS,
      reward_threshold: null,
      draw: drawCliffWalking,
      frame_rate: 4,
      variables: ["row", "col"],
      resetDraws: 0,
      stepDraws: is_slippery ? 1 : 0,
      reset: (_draws, num_envs) => ({ row: broadcastTo(BOTTOM, [num_envs]), col: zeros([num_envs]) }),
      observe: ({ row, col }) => add(mul(row, CLIFF_SIZE.cols), col),
      step: (from, action, [draw]) => {
        const way = cast(action, "f32");
        const { row, col } = gridMove(from, draw ? slipped(way, draw) : way, CLIFF_DIRECTIONS, CLIFF_SIZE);
        const atBottom = equal(row, BOTTOM);
        const fell = and(atBottom, and(greater(col, 0), less(col, LAST)));
        return {
          // The start is in the bottom row, like the cliff.
          state: { row, col: select(fell, 0, col) },
          reward: select(fell, -100, -1),
          terminated: and(atBottom, equal(col, LAST)),
        };
      },
    }),
  );

export const CliffWalking = cliffWalking("CliffWalking-v1", false);
export const CliffWalkingSlippery = cliffWalking("CliffWalkingSlippery-v1", true);
