/** An arm that reaches for a point, and a finger that pushes a puck over a table: models of rlkit's own. */
import type { BodyTable, Geom, Joint, ModelTable, Vector } from "./mjcf.ts";

const AXES: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const UNTOUCHED = { contype: 0, conaffinity: 0 } as const;

/** Slides along the first axes. @param half How far they reach to both sides of the origin, m. */
const slides = (name: string, axes: number, half: number, more: Joint["more"] = {}): readonly Joint[] =>
  AXES.slice(0, axes).map((axis, i) => ({
    name: `${name}_${"xyz"[i]}`,
    type: "slide",
    axis,
    range: [-half, half],
    more,
  }));

/** A mark at the goal, which nothing touches. */
const mark = (name: string, axes: number, geom: Geom): BodyTable => ({
  name,
  pos: [0, 0, 0],
  joints: slides(name, axes, 1),
  geoms: [{ ...geom, more: UNTOUCHED }],
});

/** Height of the shoulder, and the first part of the arm from there, m: as long as the second, which leads down again. */
export const SHOULDER = 0.15;
const PART: Vector = [0.18, 0, 0.24];
/** Where the tip is at rest, m. */
export const TIP: Vector = [2 * PART[0], 0, SHOULDER];

const limb = (end: Vector): Geom => ({ type: "capsule", size: 0.025, fromto: [0, 0, 0, ...end] });
const hinge = (name: string, axis: Vector | undefined, range: readonly [number, number]): Joint => ({
  name,
  type: "hinge",
  ...(axis && { axis }),
  range,
});

/** An arm of two parts, 0.3 m each, on a turning shoulder; without gravity, as its motors would hold it. */
export const reach: ModelTable = {
  option: { timestep: 0.01, gravity: [0, 0, 0] },
  memory: "100K",
  defaults: {
    geom: { ...UNTOUCHED, density: 300 },
    joint: { armature: 0.05, damping: 2, limited: true },
  },
  control: [-1, 1],
  geoms: [
    { type: "plane", size: [1, 1, 0.1] },
    { type: "cylinder", size: 0.05, fromto: [0, 0, 0, 0, 0, SHOULDER] },
  ],
  bodies: [
    {
      name: "shoulder",
      pos: [0, 0, SHOULDER],
      joints: [hinge("shoulder_pan", AXES[2], [-2, 2]), hinge("shoulder_lift", AXES[1], [-1, 1.5])],
      geoms: [limb(PART)],
      bodies: [
        {
          pos: PART,
          joints: [hinge("elbow", AXES[1], [-2, 2])],
          geoms: [limb([PART[0], 0, -PART[2]])],
          bodies: [
            {
              name: "fingertip",
              pos: [PART[0], 0, -PART[2]],
              geoms: [{ type: "sphere", size: 0.03 }],
            },
          ],
        },
      ],
    },
    mark("target", 3, { type: "sphere", size: 0.02 }),
  ],
  motors: ["shoulder_pan", "shoulder_lift", "elbow"].map((joint) => ({ joint, gear: 4 })),
};

/** A finger that motors move over a table, and a puck whose friction stops it. */
export const push: ModelTable = {
  option: { timestep: 0.01, gravity: [0, 0, 0] },
  memory: "100K",
  defaults: { geom: UNTOUCHED, joint: { limited: true } },
  control: [-1, 1],
  geoms: [{ type: "plane", size: [0.5, 0.5, 0.1] }],
  bodies: [
    {
      name: "fingertip",
      pos: [0, 0, 0.03],
      joints: slides("finger", 2, 0.3, { damping: 4 }),
      geoms: [{ type: "sphere", size: 0.03, more: { mass: 0.2, contype: 1, conaffinity: 1 } }],
    },
    {
      name: "object",
      pos: [0, 0, 0.03],
      joints: slides("object", 2, 0.3, { frictionloss: 1 }),
      geoms: [{ type: "cylinder", size: [0.06, 0.025], more: { mass: 0.1, contype: 1, conaffinity: 1 } }],
    },
    mark("goal", 2, { type: "cylinder", size: [0.05, 0.001] }),
  ],
  motors: ["finger_x", "finger_y"].map((joint) => ({ joint, gear: 4 })),
};
