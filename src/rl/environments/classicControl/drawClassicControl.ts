/** Drawings of the classic control tasks, and the sizes that they share with the dynamics. */

import type { DrawEnvironment, DrawingContext, DrawingTheme } from "../drawing/drawing.ts";
import { at, bar, chevron, disc, flag, joint, scene, turnArrow } from "../drawing/scene.ts";

/** Two hanging links and the height to exceed. State: theta1, theta2, their rates; action - 1: torque. */
export const drawAcrobot = scene(
  { left: -2.3, right: 2.3, bottom: -2.25, top: 2.25 },
  (context, state, action, theme) => {
    const [inner, outer] = [at(state, 0), at(state, 0) + at(state, 1)];
    const elbow = [Math.sin(inner), -Math.cos(inner)] as const;
    const tip = [elbow[0] + Math.sin(outer), elbow[1] - Math.cos(outer)] as const;
    context.setLineDash([0.08, 0.1]);
    bar(context, [-2.2, 1], [2.2, 1], 0.025, theme.muted);
    context.setLineDash([]);
    bar(context, [-0.35, 0], [0.35, 0], 0.05, theme.muted);
    bar(context, [0, 0], elbow, 0.16, theme.ink);
    bar(context, elbow, tip, 0.16, theme.accent);
    joint(context, 0, 0, 0.12, theme);
    joint(context, elbow[0], elbow[1], 0.12, theme);
    if (action !== null) turnArrow(context, elbow[0], elbow[1], 0.3, (action - 1) * 0.6, 0.04, theme.ink);
  },
);

/** |x| at which the episode ends, m. */
export const CARTPOLE_X_LIMIT = 2.4;
/** |theta| at which the episode ends: 12 degrees in rad. */
export const CARTPOLE_THETA_LIMIT = (12 * Math.PI) / 180;

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

/** Maximum torque of the motor, N m; actions beyond it are clipped. */
export const PENDULUM_MAX_TORQUE = 2;

/**
 * A rod on a motor, with its goal straight up. State: theta from upright, theta_dot; action: torque in N m.
 */
export const drawPendulum = scene(
  { left: -1.4, right: 1.4, bottom: -1.3, top: 1.3 },
  (context, state, action, theme) => {
    const theta = at(state, 0);
    const tip = [-Math.sin(theta), Math.cos(theta)] as const;
    context.beginPath();
    context.arc(0, 0, 1, 0, 2 * Math.PI);
    context.lineWidth = 0.012;
    context.strokeStyle = theme.muted;
    context.globalAlpha = 0.5;
    context.stroke();
    context.globalAlpha = 1;
    bar(context, [0, 1.08], [0, 1.2], 0.03, theme.muted);
    bar(context, [0, 0], tip, 0.14, theme.accent);
    disc(context, tip[0], tip[1], 0.07, theme.accent);
    joint(context, 0, 0, 0.1, theme);
    if (action !== null) turnArrow(context, 0, 0, 0.3, action / PENDULUM_MAX_TORQUE, 0.035, theme.ink);
  },
);
