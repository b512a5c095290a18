/** An arm with seven joints that pushes a cylinder to a goal on a table. */
import type { BodyTable, Geom, Joint, ModelTable, Vector } from "./mjcf.ts";

const TOUCHED = { contype: 1, conaffinity: 1 } as const;
const [PAN, LIFT, ROLL]: readonly Vector[] = [
  [0, 0, 1],
  [0, 1, 0],
  [1, 0, 0],
];

const hinge = (
  name: string,
  axis: Vector | undefined,
  range: readonly [number, number],
  damping: number,
): Joint => ({ name, type: "hinge", ...(axis && { axis }), range, more: { damping } });

const rod = (size: number, fromto: readonly number[], more = {}): Geom => ({
  type: "capsule",
  size,
  fromto,
  more,
});
const ball = (pos: Vector, size: number): Geom => ({ type: "sphere", pos, size });

/** Half of the hand's width, and the length of its fingers, m. */
const HAND = 0.1;

const hand: BodyTable = {
  pos: [0, 0, 0],
  joints: [hinge("wrist_roll", ROLL, [-1.5, 1.5], 0.1)],
  geoms: [
    rod(0.02, [0, -HAND, 0, 0, HAND, 0], TOUCHED),
    rod(0.02, [0, -HAND, 0, HAND, -HAND, 0], TOUCHED),
    rod(0.02, [0, HAND, 0, HAND, HAND, 0], TOUCHED),
  ],
  bodies: [
    {
      name: "tips_arm",
      pos: [0, 0, 0],
      geoms: [ball([HAND, -HAND, 0], 0.01), ball([HAND, HAND, 0], 0.01)],
    },
  ],
};

const forearm: BodyTable = {
  pos: [0, 0, 0],
  joints: [hinge("forearm_roll", ROLL, [-1.5, 1.5], 0.1)],
  geoms: [rod(0.02, [-0.1, 0, 0, 0.1, 0, 0])],
  bodies: [
    {
      pos: [0, 0, 0],
      geoms: [rod(0.05, [0, 0, 0, 0.291, 0, 0])],
      bodies: [
        {
          pos: [0.321, 0, 0],
          joints: [hinge("wrist_flex", LIFT, [-1.094, 0], 0.1)],
          geoms: [rod(0.01, [0, -0.02, 0, 0, 0.02, 0])],
          bodies: [hand],
        },
      ],
    },
  ],
};

const upperArm: BodyTable = {
  pos: [0, 0, 0],
  joints: [hinge("upper_arm_roll", ROLL, [-1.5, 1.7], 0.1)],
  geoms: [rod(0.02, [-0.1, 0, 0, 0.1, 0, 0])],
  bodies: [
    {
      pos: [0, 0, 0],
      geoms: [rod(0.06, [0, 0, 0, 0.4, 0, 0])],
      bodies: [
        {
          pos: [0.4, 0, 0],
          joints: [hinge("elbow_flex", LIFT, [-2.3213, 0], 0.1)],
          geoms: [rod(0.06, [0, -0.02, 0, 0, 0.02, 0])],
          bodies: [forearm],
        },
      ],
    },
  ],
};

const shoulder: BodyTable = {
  pos: [0, -0.6, 0],
  joints: [hinge("shoulder_pan", PAN, [-2.2854, 1.714602], 1)],
  geoms: [
    ball([-0.06, 0.05, 0.2], 0.05),
    ball([0.06, 0.05, 0.2], 0.05),
    ball([-0.06, 0.09, 0.2], 0.03),
    ball([0.06, 0.09, 0.2], 0.03),
    rod(0.1, [0, 0, -0.4, 0, 0, 0.2]),
  ],
  bodies: [
    {
      pos: [0.1, 0, 0],
      joints: [hinge("shoulder_lift", LIFT, [-0.5236, 1.3963], 1)],
      geoms: [rod(0.1, [0, -0.1, 0, 0, 0.1, 0])],
      bodies: [upperArm],
    },
  ],
};

/** Something that slides on the table, y before x. */
const sliding = (name: string, z: number, geom: Geom): BodyTable => ({
  name,
  pos: [0.45, -0.05, z],
  joints: [LIFT, ROLL].map((axis) => ({
    type: "slide",
    ...(axis && { axis }),
    range: [-10.3213, 10.3],
    more: { damping: 0.5 },
  })),
  geoms: [geom],
});

export const pusher: ModelTable = {
  option: { timestep: 0.01, iterations: 20, gravity: [0, 0, 0] },
  memory: "200K",
  defaults: {
    geom: { friction: [0.8, 0.1, 0.1], density: 300, margin: 0.002, condim: 1, contype: 0, conaffinity: 0 },
    joint: { armature: 0.04, damping: 1, limited: true },
  },
  control: [-2, 2],
  geoms: [{ type: "plane", size: [1, 1, 0.1], pos: [0, 0.5, -0.325], more: TOUCHED }],
  bodies: [
    shoulder,
    sliding("object", -0.275, {
      type: "cylinder",
      size: [0.05, 0.05, 0.05],
      more: { density: 0.01, contype: 1, conaffinity: 0 },
    }),
    sliding("goal", -0.323, {
      type: "cylinder",
      size: [0.08, 0.001, 0.1],
      more: { density: 0.00001, contype: 0, conaffinity: 0 },
    }),
  ],
  motors: [
    "shoulder_pan",
    "shoulder_lift",
    "upper_arm_roll",
    "elbow_flex",
    "forearm_roll",
    "wrist_flex",
    "wrist_roll",
  ].map((joint) => ({ joint, gear: 1 })),
};
