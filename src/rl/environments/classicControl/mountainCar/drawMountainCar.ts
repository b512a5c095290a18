import type { DrawEnvironment, DrawingContext, DrawingTheme } from "../../drawing/drawing.ts";
import { at, chevron, disc, flag, scene } from "../../drawing/scene.ts";

const VIEW = { left: -1.3, right: 0.7, bottom: -0.02, top: 1.22 };
const CAR = { width: 0.17, height: 0.06, wheel: 0.03 };
/** The hills continue as scenery if the canvas is wider or taller than the view. */
const SCENERY = { left: -3.4, right: 2.6, bottom: -2 };

/** Height of the valley, which matches the dynamics: it follows sin(3 position). */
const height = (position: number): number => 0.55 + 0.45 * Math.sin(3 * position);
const slope = (position: number): number => 1.35 * Math.cos(3 * position);

function hill(context: DrawingContext, theme: DrawingTheme): void {
  const outline = (): void => {
    context.beginPath();
    context.moveTo(SCENERY.left, height(SCENERY.left));
    for (let i = 1; i <= 240; i++) {
      const x = SCENERY.left + ((SCENERY.right - SCENERY.left) * i) / 240;
      context.lineTo(x, height(x));
    }
  };
  outline();
  context.lineTo(SCENERY.right, SCENERY.bottom);
  context.lineTo(SCENERY.left, SCENERY.bottom);
  context.closePath();
  context.globalAlpha = 0.18;
  context.fillStyle = theme.muted;
  context.fill();
  context.globalAlpha = 1;
  outline();
  context.lineWidth = 0.012;
  context.strokeStyle = theme.muted;
  context.stroke();
}

/**
 * A car in its valley and the flag it must reach. State: position, velocity.
 *
 * @param flagAt Position of the flag.
 * @param pushOf Push of an action: from -1 (full force to the left) to 1 (full force to the right).
 */
export const mountainCarDrawing = (flagAt: number, pushOf: (action: number) => number): DrawEnvironment =>
  scene(VIEW, (context, state, action, theme) => {
    const position = at(state, 0);
    hill(context, theme);
    flag(context, flagAt, height(flagAt), 0.2, theme);
    context.save();
    context.translate(position, height(position));
    context.rotate(Math.atan(slope(position)));
    context.beginPath();
    context.roundRect(-CAR.width / 2, CAR.wheel * 1.3, CAR.width, CAR.height, 0.022);
    context.fillStyle = theme.accent;
    context.fill();
    for (const side of [-1, 1]) disc(context, side * CAR.width * 0.3, CAR.wheel, CAR.wheel, theme.ink);
    const push = action === null ? 0 : Math.max(-1, Math.min(1, pushOf(action)));
    if (push !== 0) {
      const direction = push > 0 ? 1 : -1;
      const x = direction * (CAR.width / 2 + 0.07);
      chevron(context, x, CAR.wheel + CAR.height / 2, direction, 0.024 * Math.abs(push), theme.ink);
    }
    context.restore();
  });
