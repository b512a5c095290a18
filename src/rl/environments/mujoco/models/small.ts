/** Pendulums on a cart, a reaching arm and a swimmer. */
import type { BodyTable, Geom, Joint, ModelTable, Vector } from "./mjcf.ts";

const ALONG_X: Vector = [1, 0, 0];
const ABOUT_Y: Vector = [0, 1, 0];
const ABOUT_Z: Vector = [0, 0, 1];
/** Nearly a quarter turn about y: the published models lay capsules along x with these digits. */
const LAID = [0.707, 0, 0.707, 0] as const;

const RAIL: Geom = { type: "capsule", size: [0.02, 1], quat: LAID };
const CART: Geom = { type: "capsule", size: [0.1, 0.1], quat: LAID };
const BAR = { contype: 0, friction: [1, 0.1, 0.1] } as const;

const pole = (tip: Vector, radius: number): Geom => ({
  type: "capsule",
  size: radius,
  fromto: [0, 0, 0, ...tip],
});

/** A cart on a rail of 2 m, and a pole on it. */
export const invertedPendulum: ModelTable = {
  option: { integrator: "RK4", timestep: 0.02 },
  memory: "100K",
  defaults: { geom: BAR, joint: { damping: 1, limited: true } },
  control: [-3, 3],
  geoms: [RAIL],
  bodies: [
    {
      name: "cart",
      pos: [0, 0, 0],
      joints: [{ name: "slider", type: "slide", axis: ALONG_X, range: [-1, 1] }],
      geoms: [CART],
      bodies: [
        {
          name: "pole",
          pos: [0, 0, 0],
          // A quarter turn is pi / 2 to MuJoCo's own digits.
          joints: [{ type: "hinge", axis: ABOUT_Y, range: [-Math.PI / 2, Math.PI / 2] }],
          geoms: [pole([0.001, 0, 0.6], 0.049)],
        },
      ],
    },
  ],
  motors: [{ joint: "slider", gear: 100 }],
};

/** A cart on a rail of 2 m, and a pole of two parts on it. */
export const invertedDoublePendulum: ModelTable = {
  option: { integrator: "RK4", timestep: 0.01, gravity: [1e-5, 0, -9.81] },
  memory: "100K",
  defaults: { geom: BAR, joint: { damping: 0.05 } },
  control: [-1, 1],
  geoms: [{ type: "plane", size: [40, 40, 40], pos: [0, 0, -3] }, RAIL],
  bodies: [
    {
      name: "cart",
      pos: [0, 0, 0],
      joints: [
        {
          name: "slider",
          type: "slide",
          axis: ALONG_X,
          range: [-1, 1],
          more: { limited: true, margin: 0.01 },
        },
      ],
      geoms: [CART],
      bodies: [
        {
          name: "pole",
          pos: [0, 0, 0],
          joints: [{ type: "hinge", axis: ABOUT_Y }],
          geoms: [pole([0, 0, 0.6], 0.045)],
          bodies: [
            {
              name: "pole2",
              pos: [0, 0, 0.6],
              joints: [{ type: "hinge", axis: ABOUT_Y }],
              geoms: [pole([0, 0, 0.6], 0.045)],
              site: [0, 0, 0.6],
            },
          ],
        },
      ],
    },
  ],
  motors: [{ joint: "slider", gear: 500 }],
};

/** Half of the side of the reacher's arena and its height, and the length of each of the arm's two parts, m. */
const [WALL, LEVEL, REACH] = [0.3, 0.01, 0.1];
const CORNERS = [
  [-WALL, -WALL, WALL, -WALL],
  [WALL, -WALL, WALL, WALL],
  [-WALL, WALL, WALL, WALL],
  [-WALL, -WALL, -WALL, WALL],
] as const;
const UNSEEN = { conaffinity: 0, contype: 0 } as const;
const ARM: Geom = { type: "capsule", size: 0.01, fromto: [0, 0, 0, REACH, 0, 0] };

/** A joint that moves the reacher's target; the target starts where it is at `ref`. */
const aim = (axis: Vector, ref: number): Joint => ({
  type: "slide",
  axis,
  ref,
  range: [-0.27, 0.27],
  more: { armature: 0, damping: 0, stiffness: 0 },
});

/** An arm of two parts in a plane, and a target that it should touch. */
export const reacher: ModelTable = {
  option: { integrator: "RK4", timestep: 0.01 },
  memory: "100K",
  defaults: { geom: BAR, joint: { armature: 1, damping: 1, limited: true } },
  control: [-1, 1],
  geoms: [
    { type: "plane", size: [1, 1, 10], more: UNSEEN },
    ...CORNERS.map(
      ([x0, y0, x1, y1]): Geom => ({
        type: "capsule",
        size: 0.02,
        fromto: [x0, y0, LEVEL, x1, y1, LEVEL],
        more: { conaffinity: 0 },
      }),
    ),
    { type: "cylinder", size: 0.011, fromto: [0, 0, 0, 0, 0, 0.02], more: UNSEEN },
  ],
  bodies: [
    {
      pos: [0, 0, LEVEL],
      joints: [{ name: "joint0", type: "hinge", axis: ABOUT_Z, more: { limited: false } }],
      geoms: [ARM],
      bodies: [
        {
          pos: [REACH, 0, 0],
          joints: [{ name: "joint1", type: "hinge", axis: ABOUT_Z, range: [-3, 3] }],
          geoms: [ARM],
          bodies: [
            {
              name: "fingertip",
              pos: [0.11, 0, 0],
              geoms: [{ type: "sphere", size: 0.01, more: { contype: 0 } }],
            },
          ],
        },
      ],
    },
    {
      name: "target",
      pos: [0.1, -0.1, LEVEL],
      joints: [aim(ALONG_X, 0.1), aim(ABOUT_Y, -0.1)],
      geoms: [{ type: "sphere", size: 0.009, more: UNSEEN }],
    },
  ],
  motors: ["joint0", "joint1"].map((joint) => ({ joint, gear: 200 })),
};

const SEGMENT = { type: "capsule", size: 0.1, more: { density: 1000 } } as const;
const LINK: Geom = { ...SEGMENT, fromto: [0, 0, 0, -1, 0, 0] };

const bend = (name: string): Joint => ({
  name,
  type: "hinge",
  axis: ABOUT_Z,
  range: [-100, 100],
  more: { limited: true },
});

const links: BodyTable = {
  pos: [0.5, 0, 0],
  joints: [bend("motor1")],
  geoms: [LINK],
  bodies: [{ pos: [-1, 0, 0], joints: [bend("motor2")], geoms: [LINK] }],
};

/** Three links in a plane, in a thick fluid. */
export const swimmer: ModelTable = {
  degrees: true,
  option: { integrator: "RK4", timestep: 0.01, density: 4000, viscosity: 0.1 },
  memory: "100K",
  defaults: { geom: { ...UNSEEN, condim: 1 }, joint: { armature: 0.1 } },
  control: [-1, 1],
  geoms: [{ type: "plane", size: [40, 40, 0.1], pos: [0, 0, -0.1], more: { condim: 3 } }],
  bodies: [
    {
      name: "torso",
      pos: [0, 0, 0],
      joints: [
        { type: "slide", axis: ALONG_X },
        { type: "slide", axis: ABOUT_Y },
        { type: "hinge", axis: ABOUT_Z },
      ],
      geoms: [{ ...SEGMENT, fromto: [1.5, 0, 0, 0.5, 0, 0] }],
      bodies: [links],
    },
  ],
  motors: ["motor1", "motor2"].map((joint) => ({ joint, gear: 150 })),
};
