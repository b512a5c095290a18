import { at, bar, joint, scene, turnArrow } from "../../drawing/scene.ts";

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
