import type { DrawingContext, DrawingTheme } from "../../drawing/drawing.ts";
import { at, bar, chevron, disc, joint, scene } from "../../drawing/scene.ts";
import { CARTPOLE_THETA_LIMIT, CARTPOLE_X_LIMIT } from "./cartPoleLimits.ts";

/** Sizes in metres; the cart is drawn slightly larger than life. */
const POLE = 1;
const CART = { width: 0.52, height: 0.24, wheel: 0.075 };
const AXLE = CART.wheel + CART.height * 0.8;

function track(context: DrawingContext, theme: DrawingTheme): void {
  bar(context, [-CARTPOLE_X_LIMIT, 0], [CARTPOLE_X_LIMIT, 0], 0.02, theme.muted);
  for (const end of [-CARTPOLE_X_LIMIT, CARTPOLE_X_LIMIT])
    bar(context, [end, -0.06], [end, 0.14], 0.03, theme.muted);
  for (let x = -2; x <= 2; x++) bar(context, [x, -0.05], [x, -0.09], 0.015, theme.muted);
}

/** Angles at which the pole has not yet fallen. */
function safeAngles(context: DrawingContext, theme: DrawingTheme): void {
  context.globalAlpha = 0.12;
  context.beginPath();
  context.moveTo(0, AXLE);
  context.arc(0, AXLE, POLE * 1.12, Math.PI / 2 - CARTPOLE_THETA_LIMIT, Math.PI / 2 + CARTPOLE_THETA_LIMIT);
  context.closePath();
  context.fillStyle = theme.accent;
  context.fill();
  context.globalAlpha = 1;
}

/** A cart on its track with its pole. State: x, x_dot, theta, theta_dot; action: 0 left, 1 right. */
export const drawCartPole = scene(
  { left: -2.6, right: 2.6, bottom: -0.35, top: 1.6 },
  (context, state, action, theme) => {
    const [x, theta] = [at(state, 0), at(state, 2)];
    track(context, theme);
    context.save();
    context.translate(x, 0);
    safeAngles(context, theme);
    for (const side of [-1, 1]) disc(context, side * CART.width * 0.3, CART.wheel, CART.wheel, theme.ink);
    context.beginPath();
    context.roundRect(-CART.width / 2, CART.wheel, CART.width, CART.height, 0.05);
    context.fillStyle = theme.ink;
    context.fill();
    bar(context, [0, AXLE], [POLE * Math.sin(theta), AXLE + POLE * Math.cos(theta)], 0.075, theme.accent);
    joint(context, 0, AXLE, 0.055, theme);
    if (action !== null) {
      const direction = action === 1 ? 1 : -1;
      chevron(
        context,
        direction * (CART.width / 2 + 0.2),
        CART.wheel + CART.height / 2,
        direction,
        0.06,
        theme.accent,
      );
    }
    context.restore();
  },
);
