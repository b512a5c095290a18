/** A ball on four legs of three parts. */
import type { BodyTable, Geom, ModelTable, Vector } from "./mjcf.ts";

/** Length along x and y of a leg's upper parts and of its shank, m. */
const [PART, SHANK] = [0.2, 0.4];

/** Where a leg points, and the limits of its ankle. */
interface AntLeg {
  readonly name: string;
  readonly x: 1 | -1;
  readonly y: 1 | -1;
  /** Whether the ankle bends to positive angles. */
  readonly up: boolean;
}

const LEGS: readonly AntLeg[] = [
  { name: "front_left_leg", x: 1, y: 1, up: true },
  { name: "front_right_leg", x: -1, y: 1, up: false },
  { name: "back_leg", x: -1, y: -1, up: false },
  { name: "right_back_leg", x: 1, y: -1, up: true },
];

function leg({ name, x, y, up }: AntLeg, index: number): BodyTable {
  const number = index + 1;
  const part = (length: number): Geom => ({
    type: "capsule",
    size: 0.08,
    fromto: [0, 0, 0, x * length, y * length, 0],
  });
  const next: Vector = [x * PART, y * PART, 0];
  return {
    name,
    pos: [0, 0, 0],
    geoms: [part(PART)],
    bodies: [
      {
        name: `aux_${number}`,
        pos: next,
        joints: [{ name: `hip_${number}`, type: "hinge", axis: [0, 0, 1], range: [-30, 30] }],
        geoms: [part(PART)],
        bodies: [
          {
            pos: next,
            joints: [
              {
                name: `ankle_${number}`,
                type: "hinge",
                // Across the leg, and the same for legs that lie on one line.
                axis: [x * y < 0 ? 1 : -1, 1, 0],
                range: up ? [30, 70] : [-70, -30],
              },
            ],
            geoms: [part(SHANK)],
          },
        ],
      },
    ],
  };
}

export const ant: ModelTable = {
  degrees: true,
  option: { integrator: "RK4", timestep: 0.01 },
  memory: "500K",
  defaults: {
    geom: { conaffinity: 0, condim: 3, density: 5, friction: [1, 0.5, 0.5], margin: 0.01 },
    joint: { armature: 1, damping: 1, limited: true },
  },
  control: [-1, 1],
  geoms: [{ type: "plane", size: [40, 40, 40], more: { conaffinity: 1 } }],
  bodies: [
    {
      name: "torso",
      pos: [0, 0, 0.75],
      joints: [{ type: "free", more: { armature: 0, damping: 0, limited: false, margin: 0.01 } }],
      geoms: [{ type: "sphere", size: 0.25 }],
      bodies: LEGS.map(leg),
    },
  ],
  motors: [4, 1, 2, 3].flatMap((number) =>
    ["hip", "ankle"].map((joint) => ({ joint: `${joint}_${number}`, gear: 150 })),
  ),
};
