/** Bodies that move in a vertical plane: HalfCheetah, Hopper and Walker2d. */
import type { BodyTable, Geom, Joint, ModelTable, Vector } from "./mjcf.ts";

const FREE = { armature: 0, damping: 0, limited: false, stiffness: 0 } as const;

/**
 * The joints of a root: along x, along z and about y.
 * @param height At which the position along z is the height above the ground, m; 0: it is relative to the start.
 */
function rootJoints(height: number): readonly Joint[] {
  const pos: Vector = [0, 0, -height];
  return [
    { type: "slide", axis: [1, 0, 0], pos, more: FREE },
    { type: "slide", axis: [0, 0, 1], pos, ref: height, more: FREE },
    { type: "hinge", axis: [0, 1, 0], more: FREE },
  ];
}

const floor = (half: number, thickness: number, more: Geom["more"]): Geom => ({
  type: "plane",
  size: [half, half, thickness],
  more: { conaffinity: 1, condim: 3, ...more },
});

/** A part of a cheetah's leg: where it is fixed, its hinge, its capsule. */
interface LegPart {
  readonly name: string;
  readonly pos: Vector;
  readonly range: readonly [number, number];
  readonly damping: number;
  readonly stiffness: number;
  /** Centre, angle about y and half of the length of the capsule. */
  readonly centre: Vector;
  readonly angle: number;
  readonly half: number;
}

const PAW = 0.046;

/** The parts of a leg, each fixed to the one before. */
const leg = ([part, ...rest]: readonly LegPart[]): readonly BodyTable[] => {
  if (part === undefined) return [];
  const { name, pos, range, damping, stiffness, centre, angle, half } = part;
  return [
    {
      pos,
      joints: [{ name, type: "hinge", axis: [0, 1, 0], range, more: { damping, stiffness } }],
      geoms: [{ type: "capsule", size: [PAW, half], pos: centre, axisangle: [0, 1, 0, angle] }],
      bodies: leg(rest),
    },
  ];
};

const BACK: readonly LegPart[] = [
  {
    name: "bthigh",
    pos: [-0.5, 0, 0],
    range: [-0.52, 1.05],
    damping: 6,
    stiffness: 240,
    centre: [0.1, 0, -0.13],
    angle: -3.8,
    half: 0.145,
  },
  {
    name: "bshin",
    pos: [0.16, 0, -0.25],
    range: [-0.785, 0.785],
    damping: 4.5,
    stiffness: 180,
    centre: [-0.14, 0, -0.07],
    angle: -2.03,
    half: 0.15,
  },
  {
    name: "bfoot",
    pos: [-0.28, 0, -0.14],
    range: [-0.4, 0.785],
    damping: 3,
    stiffness: 120,
    centre: [0.03, 0, -0.097],
    angle: -0.27,
    half: 0.094,
  },
];

const FRONT: readonly LegPart[] = [
  {
    name: "fthigh",
    pos: [0.5, 0, 0],
    range: [-1, 0.7],
    damping: 4.5,
    stiffness: 180,
    centre: [-0.07, 0, -0.12],
    angle: 0.52,
    half: 0.133,
  },
  {
    name: "fshin",
    pos: [-0.14, 0, -0.24],
    range: [-1.2, 0.87],
    damping: 3,
    stiffness: 120,
    centre: [0.065, 0, -0.09],
    angle: -0.6,
    half: 0.106,
  },
  {
    name: "ffoot",
    pos: [0.13, 0, -0.18],
    range: [-0.5, 0.5],
    damping: 1.5,
    stiffness: 60,
    centre: [0.045, 0, -0.07],
    angle: -0.6,
    half: 0.07,
  },
];

/** A torso with a head and two legs of three parts; 14 kg in all. */
export const halfCheetah: ModelTable = {
  compiler: { settotalmass: 14 },
  option: { timestep: 0.01 },
  memory: "300K",
  defaults: {
    geom: {
      conaffinity: 0,
      contype: 1,
      condim: 3,
      friction: [0.4, 0.1, 0.1],
      solimp: [0, 0.8, 0.01],
      solref: [0.02, 1],
    },
    joint: {
      armature: 0.1,
      damping: 0.01,
      limited: true,
      stiffness: 8,
      solimplimit: [0, 0.8, 0.03],
      solreflimit: [0.02, 1],
    },
  },
  control: [-1, 1],
  geoms: [floor(40, 40, {})],
  bodies: [
    {
      name: "torso",
      pos: [0, 0, 0.7],
      joints: rootJoints(0),
      geoms: [
        { type: "capsule", size: PAW, fromto: [-0.5, 0, 0, 0.5, 0, 0] },
        { type: "capsule", size: [PAW, 0.15], pos: [0.6, 0, 0.1], axisangle: [0, 1, 0, 0.87] },
      ],
      bodies: [...leg(BACK), ...leg(FRONT)],
    },
  ],
  motors: [
    { joint: "bthigh", gear: 120 },
    { joint: "bshin", gear: 90 },
    { joint: "bfoot", gear: 60 },
    { joint: "fthigh", gear: 120 },
    { joint: "fshin", gear: 60 },
    { joint: "ffoot", gear: 30 },
  ],
};

/** Heights of a walker's torso, hip, thigh, knee and shank at rest, m: of the middles of parts, and of joints. */
const [START, HIP, THIGH, KNEE, SHANK] = [1.25, 1.05, 0.825, 0.6, 0.35];
/** A quarter turn about y to the published digits. */
const QUARTER = [Math.SQRT1_2, 0, -0.7071067811865475, 0] as const;

/** A leg of a walker: thigh, shank and foot. */
interface WalkerLeg {
  /** Added to the names of its joints. */
  readonly side: string;
  /** Distance from the ankle to the middle of the foot, and half of the foot's length, m. */
  readonly ahead: number;
  readonly halfFoot: number;
  readonly grip: number;
}

const hinge = (name: string, pos: Vector, range: readonly [number, number]): Joint => ({
  name,
  type: "hinge",
  axis: [0, -1, 0],
  pos,
  range,
});

const walkerLeg = ({ side, ahead, halfFoot, grip }: WalkerLeg): BodyTable => ({
  pos: [0, 0, HIP - START],
  joints: [hinge(`thigh${side}`, [0, 0, 0], [-150, 0])],
  geoms: [
    { type: "capsule", size: [0.05, (HIP - KNEE) / 2], pos: [0, 0, THIGH - HIP], more: { friction: 0.9 } },
  ],
  bodies: [
    {
      pos: [0, 0, SHANK - HIP],
      joints: [hinge(`leg${side}`, [0, 0, KNEE - SHANK], [-150, 0])],
      geoms: [{ type: "capsule", size: [0.04, KNEE - SHANK], more: { friction: 0.9 } }],
      bodies: [
        {
          pos: [2 * ahead, 0, -SHANK],
          joints: [hinge(`foot${side}`, [-2 * ahead, 0, 0.1], [-45, 45])],
          geoms: [
            {
              type: "capsule",
              size: [0.06, halfFoot],
              pos: [-ahead, 0, 0.1],
              quat: QUARTER,
              more: { friction: grip },
            },
          ],
        },
      ],
    },
  ],
});

const walkerTorso = (legs: readonly BodyTable[]): BodyTable => ({
  name: "torso",
  pos: [0, 0, START],
  joints: rootJoints(START),
  geoms: [{ type: "capsule", size: [0.05, START - HIP], more: { friction: 0.9 } }],
  bodies: legs,
});

/** A torso on one leg. */
export const hopper: ModelTable = {
  degrees: true,
  option: { integrator: "RK4", timestep: 0.002 },
  memory: "300K",
  defaults: {
    geom: { condim: 1, margin: 0.001, solimp: [0.8, 0.8, 0.01], solref: [0.02, 1] },
    joint: { armature: 1, damping: 1, limited: true },
  },
  control: [-1, 1],
  geoms: [floor(20, 0.125, {})],
  bodies: [walkerTorso([walkerLeg({ side: "", ahead: 0.065, halfFoot: 0.195, grip: 2 })])],
  motors: ["thigh", "leg", "foot"].map((joint) => ({ joint, gear: 200 })),
};

const SIDES = ["", "_left"];

/** A torso on two legs. */
export const walker2d: ModelTable = {
  degrees: true,
  option: { integrator: "RK4", timestep: 0.002 },
  memory: "300K",
  defaults: {
    geom: { conaffinity: 0, contype: 1, condim: 3, density: 1000, friction: [0.7, 0.1, 0.1] },
    joint: { armature: 0.01, damping: 0.1, limited: true },
  },
  control: [-1, 1],
  geoms: [floor(40, 40, {})],
  bodies: [walkerTorso(SIDES.map((side) => walkerLeg({ side, ahead: 0.1, halfFoot: 0.1, grip: 1.9 })))],
  motors: SIDES.flatMap((side) =>
    ["thigh", "leg", "foot"].map((part) => ({ joint: part + side, gear: 100 })),
  ),
};
