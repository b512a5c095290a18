import type { DrawingContext, DrawingTheme } from "../../drawing/drawing.ts";
import { centre, gridScene, heading, tile, walker } from "../../drawing/gridScene.ts";
import { at, flag } from "../../drawing/scene.ts";
import { CLIFF_DIRECTIONS, CLIFF_SIZE } from "./cliff.ts";

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
export const drawCliffWalking = gridScene(CLIFF_SIZE, (context, state, action, theme) => {
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
