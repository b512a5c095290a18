/** The language of planar bodies: chains of capsules in the x-z plane over flat ground, as plain data. */
import { z } from "zod";
import { parseSpec } from "../../../specs/checks.ts";

/** A point of a part, m: x forward, z up, from the part's own joint, in the pose at rest. */
export type PlanarPoint = readonly [x: number, z: number];

/** A segment with round ends, filled with mass. Its two ends can touch the ground. */
export interface PlanarCapsule {
  readonly from: PlanarPoint;
  readonly to: PlanarPoint;
  /** m. */
  readonly radius: number;
  /** Coefficient of sliding friction between this capsule and the ground (default: 1). */
  readonly friction?: number;
}

/** A part that hangs on a hinge. */
export interface PlanarPart {
  /** Name of the part and of its joint, which is a variable of the state. */
  readonly name: string;
  /** Name of an earlier part (default: the trunk). */
  readonly parent?: string;
  /** Place of the joint, from the joint of the parent. */
  readonly at: PlanarPoint;
  /** 1 if positive angles turn the part's lower end backward (about +y, MuJoCo's axis "0 1 0"), -1 if forward (default: 1). */
  readonly axis?: 1 | -1;
  /** Lowest and highest angle, rad (default: no limits). */
  readonly range?: readonly [low: number, high: number];
  /** N m s/rad (default: 0). */
  readonly damping?: number;
  /** Spring that pulls the angle to 0, N m/rad (default: 0). */
  readonly stiffness?: number;
  /** Inertia of the motor's rotor, kg m^2 (default: 0). */
  readonly armature?: number;
  /** Torque at action 1, N m. Without it, the joint has no motor (default: none). */
  readonly gear?: number;
  /** Distance from the viewer in drawings; does not move anything (default: 0). */
  readonly depth?: number;
  readonly capsules: readonly PlanarCapsule[];
}

/** How hard a constraint is: MuJoCo's `solref` and `solimp` ("Computation: solver parameters" of its manual). */
export interface PlanarSoftness {
  /** Time constant (s) and damping ratio (default: 0.02 and 1). */
  readonly solref?: readonly [timeconst: number, dampratio: number];
  /** Impedance at the surface and at depth `width` (m or rad), and the curve between (default: 0.9, 0.95, 0.001, 0.5, 2). */
  readonly solimp?: readonly [dmin: number, dmax: number, width: number, midpoint: number, power: number];
}

/** A body: a trunk that moves freely in the plane, and the parts that hang on it. */
export interface PlanarBody {
  readonly trunk: {
    /** Height of the trunk's joint over the ground where the state's z is 0, m (default: 0). */
    readonly height?: number;
    readonly capsules: readonly PlanarCapsule[];
  };
  /** Parts in order, each after its parent. */
  readonly parts: readonly PlanarPart[];
  /** kg/m^3 (default: 1000). */
  readonly density?: number;
  /** Scales the masses to this sum, kg (default: what the density gives). */
  readonly total_mass?: number;
  /** m/s^2, downward (default: 9.81). */
  readonly gravity?: number;
  /** Softness of contacts, and the distance at which they begin to act, m (default: 0). */
  readonly contacts?: PlanarSoftness & { readonly margin?: number };
  /** Softness of the joints' limits. */
  readonly limits?: PlanarSoftness;
  /** Duration of a step of the integrator, s (default: 0.002). */
  readonly time_step?: number;
  /** "euler" is semi-implicit, with implicit damping; "rk4" is the classical Runge-Kutta method (default: "euler"). */
  readonly integrator?: "euler" | "rk4";
}

const point = z.tuple([z.number(), z.number()]).readonly();
const positive = z.number().positive();
const notNegative = z.number().min(0);
const name = z.string().regex(/^[a-z][a-z0-9_]*$/, "must be lower-case letters, digits and _");

const Capsule = z.strictObject({
  from: point,
  to: point,
  radius: positive,
  friction: z.number().min(0.01).default(1),
});

const Part = z.strictObject({
  name,
  parent: name.optional(),
  at: point,
  axis: z.literal([1, -1]).default(1),
  range: z
    .tuple([z.number(), z.number()])
    .refine(([low, high]) => low < high, "must be a lower and a higher angle")
    .readonly()
    .optional(),
  damping: notNegative.default(0),
  stiffness: notNegative.default(0),
  armature: notNegative.default(0),
  gear: z.number().optional(),
  depth: z.number().optional(),
  capsules: z.array(Capsule).min(1),
});

const solref = z.tuple([positive, positive]).readonly().default([0.02, 1]);
const share = z.number().min(0).max(1);
const solimp = z
  .tuple([share, share, positive, z.number().gt(0).lt(1), z.int().min(1).max(6)])
  .readonly()
  .default([0.9, 0.95, 0.001, 0.5, 2]);
const Softness = z.strictObject({ solref, solimp });

const Body = z
  .strictObject({
    trunk: z.strictObject({ height: z.number().default(0), capsules: z.array(Capsule).min(1) }),
    parts: z.array(Part).max(24),
    density: positive.default(1000),
    total_mass: positive.optional(),
    gravity: z.number().default(9.81),
    contacts: Softness.extend({ margin: notNegative.default(0) }).prefault({}),
    limits: Softness.prefault({}),
    time_step: positive.default(0.002),
    integrator: z.enum(["euler", "rk4"]).default("euler"),
  })
  .check(({ value, issues }) => {
    if (value.parts.every(({ gear }) => gear === undefined)) {
      const message = "found no part with a motor, allowed: a gear in one part or more";
      issues.push({ code: "custom", path: ["parts"], input: value.parts, message });
    }
    value.parts.forEach((part, i) => {
      const before = value.parts.slice(0, i).map((other) => other.name);
      const path = ["parts", i];
      const refuse = (field: string, input: string, message: string) =>
        issues.push({ code: "custom", path: [...path, field], input, message });
      if (["trunk", "x", "z", "angle", ...before].includes(part.name))
        refuse("name", part.name, `found "${part.name}", which is taken; allowed: a name of its own`);
      if (part.parent !== undefined && part.parent !== "trunk" && !before.includes(part.parent))
        refuse("parent", part.parent, `found "${part.parent}", allowed: ${["trunk", ...before].join(", ")}`);
    });
  });

/** A body with all its defaults. */
export type WholeBody = z.output<typeof Body>;

/** @throws SpecError naming the environment's id and each field of the body that is invalid. */
export const wholeBody = (body: PlanarBody, id: string): WholeBody => parseSpec(Body, body, id) as WholeBody;
