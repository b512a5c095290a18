import { at, bar, disc, joint, scene, turnArrow } from "../../drawing/scene.ts";
import { PENDULUM_MAX_TORQUE } from "./pendulumTorque.ts";

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
