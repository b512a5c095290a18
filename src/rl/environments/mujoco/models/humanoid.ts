/** A person of 13 bodies: standing, and lying on the back. */
import type { BodyTable, Geom, Joint, ModelTable, Motor, Quaternion, Vector } from "./mjcf.ts";

/** What differs between a body that stands and one that lies. */
interface Pose {
  readonly height: number;
  readonly head: Vector;
  /** Centre of the upper waist. */
  readonly waist: readonly [x: number, z: number];
  readonly lowerWaist: Vector;
  readonly pelvis: Vector;
  /** From the pelvis to the hips, downwards. */
  readonly hips: number;
  /** A vector along the legs, for a length of the leg. */
  readonly down: (length: number) => readonly [x: number, z: number];
  readonly foot: Vector;
  /** Lowest angle of the left hip about y, degrees. */
  readonly leftHip: number;
}

const STANDING: Pose = {
  height: 1.4,
  head: [0, 0, 0.19],
  waist: [-0.01, -0.12],
  lowerWaist: [-0.01, 0, -0.26],
  pelvis: [0, 0, -0.165],
  hips: -0.04,
  down: (length) => [0, -length],
  foot: [0, 0, -0.45],
  leftHip: -110,
};

const LYING: Pose = {
  height: 0.105,
  head: [-0.15, 0, 0],
  waist: [0.11, 0],
  lowerWaist: [0.21, 0, 0],
  pelvis: [0.165, 0, 0],
  hips: 0,
  down: (length) => [length, 0],
  foot: [0.35, 0, -0.1],
  leftHip: -120,
};

const LEAN: Quaternion = [1, 0, -0.002, 0];

const rod = (size: number | readonly number[], fromto: readonly number[]): Geom => ({
  type: "capsule",
  size,
  fromto,
});
const across = (size: number, x: number, half: number, z: number): Geom =>
  rod(size, [x, -half, z, x, half, z]);
const ball = (size: number, pos: Vector): Geom => ({ type: "sphere", size, pos });

/** Stiffness and damping of a joint, and the inertia of its motor. */
type Feel = readonly [stiffness: number, damping: number, armature: number];

function hinge(
  name: string,
  axis: Vector,
  range: readonly [number, number],
  [stiffness, damping, armature]: Feel,
  pos: Vector = [0, 0, 0],
): Joint {
  return { name, type: "hinge", axis, range, pos, more: { stiffness, damping, armature } };
}

/** -1 is the right side, 1 the left. */
type Side = -1 | 1;
const nameOf = (side: Side): string => (side < 0 ? "right" : "left");

function leg(pose: Pose, side: Side): BodyTable {
  const name = nameOf(side);
  const [thighX, thighZ] = pose.down(0.34);
  const [kneeX, kneeZ] = pose.down(0.403);
  const [shinX, shinZ] = pose.down(0.3);
  const inwards = -side * 0.01;
  const forward: readonly [number, number] = [side < 0 ? -110 : pose.leftHip, 20];
  return {
    name: `${name}_thigh`,
    pos: [0, side * 0.1, pose.hips],
    joints: [
      hinge(`${name}_hip_x`, [-side, 0, 0], [-25, 5], [10, 5, 0.01]),
      hinge(`${name}_hip_z`, [0, 0, -side], [-60, 35], [10, 5, 0.01]),
      hinge(`${name}_hip_y`, [0, 1, 0], forward, [20, 5, side < 0 ? 0.008 : 0.01]),
    ],
    geoms: [rod(0.06, [0, 0, 0, thighX, inwards, thighZ])],
    bodies: [
      {
        name: `${name}_shin`,
        pos: [kneeX, inwards, kneeZ],
        joints: [hinge(`${name}_knee`, [0, -1, 0], [-160, -2], [side < 0 ? 0 : 1, 1, 0.006], [0, 0, 0.02])],
        geoms: [rod(0.049, [0, 0, 0, shinX, 0, shinZ])],
        bodies: [{ name: `${name}_foot`, pos: pose.foot, geoms: [ball(0.075, [0, 0, 0.1])] }],
      },
    ],
  };
}

function arm(side: Side): BodyTable {
  const name = nameOf(side);
  const range: readonly [number, number] = side < 0 ? [-85, 60] : [-60, 85];
  return {
    name: `${name}_upper_arm`,
    pos: [0, side * 0.17, 0.06],
    joints: [
      hinge(`${name}_shoulder1`, [2, -side, 1], range, [1, 1, 0.0068]),
      hinge(`${name}_shoulder2`, [0, side, 1], range, [1, 1, 0.0051]),
    ],
    geoms: [rod([0.04, 0.16], [0, 0, 0, 0.16, side * 0.16, -0.16])],
    bodies: [
      {
        name: `${name}_lower_arm`,
        pos: [0.18, side * 0.18, -0.18],
        joints: [hinge(`${name}_elbow`, [0, -1, -side], [-90, 50], [0, 1, 0.0028])],
        geoms: [
          rod(0.031, [0.01, -side * 0.01, 0.01, 0.17, -side * 0.17, 0.17]),
          ball(0.04, [0.18, -side * 0.18, 0.18]),
        ],
      },
    ],
  };
}

const torso = (pose: Pose): BodyTable => ({
  name: "torso",
  pos: [0, 0, pose.height],
  joints: [{ type: "free", more: { armature: 0, damping: 0, limited: false, stiffness: 0 } }],
  geoms: [across(0.07, 0, 0.07, 0), ball(0.09, pose.head), across(0.06, pose.waist[0], 0.06, pose.waist[1])],
  bodies: [
    {
      name: "lwaist",
      pos: pose.lowerWaist,
      quat: LEAN,
      joints: [
        hinge("abdomen_z", [0, 0, 1], [-45, 45], [20, 5, 0.02], [0, 0, 0.065]),
        hinge("abdomen_y", [0, 1, 0], [-75, 30], [10, 5, 0.02], [0, 0, 0.065]),
      ],
      geoms: [across(0.06, 0, 0.06, 0)],
      bodies: [
        {
          name: "pelvis",
          pos: pose.pelvis,
          quat: LEAN,
          joints: [hinge("abdomen_x", [1, 0, 0], [-35, 35], [10, 5, 0.02], [0, 0, 0.1])],
          geoms: [across(0.09, -0.02, 0.07, 0)],
          bodies: [leg(pose, -1), leg(pose, 1)],
        },
      ],
    },
    arm(-1),
    arm(1),
  ],
});

const SIDES: readonly Side[] = [-1, 1];

const motors: readonly Motor[] = [
  ...["abdomen_y", "abdomen_z", "abdomen_x"].map((joint) => ({ joint, gear: 100 })),
  ...SIDES.map(nameOf).flatMap((name) => [
    { joint: `${name}_hip_x`, gear: 100 },
    { joint: `${name}_hip_z`, gear: 100 },
    { joint: `${name}_hip_y`, gear: 300 },
    { joint: `${name}_knee`, gear: 200 },
  ]),
  ...SIDES.map(nameOf).flatMap((name) =>
    ["shoulder1", "shoulder2", "elbow"].map((part) => ({ joint: `${name}_${part}`, gear: 25 })),
  ),
];

const person = (pose: Pose): ModelTable => ({
  degrees: true,
  option: { integrator: "RK4", timestep: 0.003, solver: "PGS", iterations: 50 },
  memory: "1M",
  defaults: {
    geom: { condim: 1, margin: 0.001 },
    joint: { armature: 1, damping: 1, limited: true },
  },
  control: [-0.4, 0.4],
  geoms: [{ type: "plane", size: [20, 20, 0.125], more: { condim: 3, friction: [1, 0.1, 0.1] } }],
  bodies: [torso(pose)],
  motors,
  tendons: SIDES.toReversed().map((side) => ({
    [`${nameOf(side)}_hip_y`]: -1,
    [`${nameOf(side)}_knee`]: 1,
  })),
});

/** Standing, 1.4 m to the middle of the torso. */
export const humanoid: ModelTable = person(STANDING);
/** Lying on the back. */
export const humanoidStandup: ModelTable = person(LYING);
