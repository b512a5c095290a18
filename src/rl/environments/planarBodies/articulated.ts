/**
 * Accelerations of a chain by the articulated-body algorithm (Featherstone, Rigid Body Dynamics Algorithms, 2008,
 * section 7.3), whose cost grows with the number of parts. The algorithm takes any inertias: contacts that resist
 * like springs are added to those of their parts, so each Newton step of the solver is one pass over the chain.
 */
import type { Link } from "./chain.ts";
import {
  addInertias,
  addScaled,
  addScrews,
  apply,
  forceAt,
  type Inertia,
  inertiaAt,
  power,
  rotationAbout,
  type Screw,
  sumOf,
  type Vector,
  velocityAt,
  withoutRank,
} from "./plane.ts";
import { cosine, minus, negative, over, plus, type Scalar, sine, times, total } from "./scalars.ts";

/** Where each link is, relative to the trunk's joint. */
export interface Pose {
  /** A vector of the link's own axes, in the world's. */
  readonly turned: (vector: readonly [number, number]) => Vector;
  /** The link's joint. */
  readonly joint: Vector;
  readonly centre: Vector;
}

/** Poses of all links. `angles`: the trunk's angle, then those of the joints, rad. */
export function posesOf(links: readonly Link[], angles: readonly Scalar[]): Pose[] {
  const poses: Pose[] = [];
  const directions: Scalar[] = [];
  for (const [i, { parent, at, axis, centre }] of links.entries()) {
    const own = times(angles[i] ?? 0, axis);
    const direction = parent < 0 ? own : plus(directions[parent] ?? 0, own);
    directions.push(direction);
    const [c, s] = [cosine(direction), sine(direction)];
    const turned = ([x, z]: readonly [number, number]): Vector => ({
      x: plus(times(c, x), times(s, z)),
      z: minus(times(c, z), times(s, x)),
    });
    const base = poses[parent];
    const joint = base ? sumOf(base.joint, base.turned(at)) : { x: 0, z: 0 };
    poses.push({ turned, joint, centre: sumOf(joint, turned(centre)) });
  }
  return poses;
}

/** Something for each coordinate: the trunk's, and one for each joint. The list's first entry is unused. */
export interface Coordinates {
  readonly trunk: Screw;
  readonly joints: readonly Scalar[];
}

/** Motions of all links that result from rates of the coordinates. */
export function motionsOf(links: readonly Link[], poses: readonly Pose[], rates: Coordinates): Screw[] {
  const motions: Screw[] = [];
  for (const [i, { parent, axis }] of links.entries()) {
    const base = motions[parent];
    const rate = times(rates.joints[i] ?? 0, axis);
    motions.push(base ? addScaled(base, rotationAbout((poses[i] as Pose).joint), rate) : rates.trunk);
  }
  return motions;
}

/** Inertias of all links in their poses. */
export const inertiasOf = (links: readonly Link[], poses: readonly Pose[]): Inertia[] =>
  links.map(({ mass, inertia }, i) => {
    const own = inertiaAt((poses[i] as Pose).centre, mass, 0, mass);
    return { ...own, tt: plus(own.tt, inertia) };
  });

/** The forces that keep all links from accelerating while they move: centripetal ones, and weight. */
export function biasOf(
  links: readonly Link[],
  poses: readonly Pose[],
  motions: readonly Screw[],
  gravity: number,
): Screw[] {
  const accelerations: Vector[] = [];
  return links.map(({ parent, mass }, i) => {
    const { joint, centre } = poses[i] as Pose;
    const toward = (from: Vector, to: Vector, turn: Scalar): Vector => {
      const squared = negative(times(turn, turn));
      return { x: times(squared, minus(to.x, from.x)), z: times(squared, minus(to.z, from.z)) };
    };
    const base = poses[parent];
    const start = base
      ? sumOf(accelerations[parent] as Vector, toward(base.joint, joint, (motions[parent] as Screw).turn))
      : { x: 0, z: 0 };
    accelerations.push(start);
    const { x, z } = sumOf(start, toward(joint, centre, (motions[i] as Screw).turn));
    return forceAt({ x: times(x, mass), z: times(plus(z, gravity), mass) }, centre);
  });
}

/** A mechanical problem: which accelerations balance these forces? */
export interface Problem {
  readonly links: readonly Link[];
  readonly poses: readonly Pose[];
  readonly inertias: readonly Inertia[];
  /** Forces that each link needs in order not to accelerate. */
  readonly bias: readonly Screw[];
  /** Torque of each joint. */
  readonly torques: readonly Scalar[];
  /** Inertia of each joint itself. */
  readonly rotors: readonly Scalar[];
}

/** Solves for the accelerations of the coordinates. */
export function accelerationsOf({ links, poses, inertias, bias, torques, rotors }: Problem): Coordinates {
  const whole = [...inertias];
  const needed = [...bias];
  const passed = new Map<number, { axis: Screw; force: Screw; inverse: Scalar; torque: Scalar }>();
  for (let i = links.length - 1; i > 0; i--) {
    const { parent, axis: sign } = links[i] as Link;
    const axis = rotationAbout((poses[i] as Pose).joint);
    const own = whole[i] as Inertia;
    const force = apply(own, axis);
    const inverse = over(1, plus(power(force, axis), rotors[i] ?? 0));
    const torque = times(minus(times(torques[i] ?? 0, sign), power(needed[i] as Screw, axis)), inverse);
    whole[parent] = addInertias(whole[parent] as Inertia, withoutRank(own, force, inverse));
    needed[parent] = addScrews(needed[parent] as Screw, addScaled(needed[i] as Screw, force, torque));
    passed.set(i, { axis, force, inverse, torque });
  }
  const trunk = solveTrunk(whole[0] as Inertia, needed[0] as Screw);
  const motions = [trunk];
  const joints: Scalar[] = [0];
  for (let i = 1; i < links.length; i++) {
    const { parent, axis: sign } = links[i] as Link;
    const { axis, force, inverse, torque } = passed.get(i) as NonNullable<ReturnType<typeof passed.get>>;
    const base = motions[parent] as Screw;
    const rate = minus(torque, times(power(force, base), inverse));
    motions.push(addScaled(base, axis, rate));
    joints.push(times(rate, sign));
  }
  return { trunk, joints };
}

/** The trunk's acceleration: `inertia acceleration = -needed`, by elimination of x, z and turn in this order. */
function solveTrunk({ tt, tx, tz, xx, xz, zz }: Inertia, { turn, x, z }: Screw): Screw {
  const ix = over(1, xx);
  const [kz, kt] = [times(xz, ix), times(tx, ix)];
  const zz1 = minus(zz, times(kz, xz));
  const tz1 = minus(tz, times(kz, tx));
  const z1 = minus(z, times(kz, x));
  const iz = over(1, zz1);
  const k = times(tz1, iz);
  const tt2 = minus(minus(tt, times(kt, tx)), times(k, tz1));
  const t2 = minus(minus(turn, times(kt, x)), times(k, z1));
  const at = negative(over(t2, tt2));
  const az = negative(times(iz, plus(z1, times(tz1, at))));
  return { turn: at, x: negative(times(ix, total(x, times(xz, az), times(tx, at)))), z: az };
}

/** How far a unit of force or torque moves things in the pose at rest: MuJoCo's `body_invweight0` (of translation) and `dof_invweight0`. */
export interface Yielding {
  /** For each link: mean over x, y and z of the acceleration of its centre under unit force; y does not move. */
  readonly centres: readonly number[];
  /** For each joint, rad/s^2 per N m. */
  readonly joints: readonly number[];
}

export function yieldingOf(links: readonly Link[]): Yielding {
  const still = links.map(() => 0);
  const poses = posesOf(links, still);
  const rest = {
    links,
    poses,
    inertias: inertiasOf(links, poses),
    bias: links.map((): Screw => ({ turn: 0, x: 0, z: 0 })),
    torques: still,
    rotors: links.map(({ armature }) => armature),
  };
  const pushed = (i: number, x: number, z: number): number => {
    const { centre } = poses[i] as Pose;
    const bias = rest.bias.with(i, forceAt({ x: -x, z: -z }, centre));
    const moved = motionsOf(links, poses, accelerationsOf({ ...rest, bias }))[i] as Screw;
    const velocity = velocityAt(moved, centre);
    return Number(x ? velocity.x : velocity.z);
  };
  return {
    centres: links.map((_, i) => (pushed(i, 1, 0) + pushed(i, 0, 1)) / 3),
    joints: links.map((_, i) =>
      i === 0 ? 0 : Number(accelerationsOf({ ...rest, torques: still.with(i, 1) }).joints[i]),
    ),
  };
}
