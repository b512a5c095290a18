/**
 * Vectors of the x-z plane. Rotation is about +y: positive angles turn x toward -z. Motions and forces of a whole body
 * are stated at one point, the trunk's joint, so that sums need no change of origin.
 */
import { minus, negative, plus, type Scalar, times, total } from "./scalars.ts";

export interface Vector {
  readonly x: Scalar;
  readonly z: Scalar;
}

/** Velocity or acceleration of a rigid body; or a force on one, with `turn` as its moment. */
export interface Screw extends Vector {
  readonly turn: Scalar;
}

/** A symmetric 3 x 3 matrix that maps motions to forces: rows and columns are turn, x and z. */
export interface Inertia {
  readonly tt: Scalar;
  readonly tx: Scalar;
  readonly tz: Scalar;
  readonly xx: Scalar;
  readonly xz: Scalar;
  readonly zz: Scalar;
}

export const sumOf = (a: Vector, b: Vector): Vector => ({ x: plus(a.x, b.x), z: plus(a.z, b.z) });

export const addScrews = (a: Screw, b: Screw): Screw => ({ turn: plus(a.turn, b.turn), ...sumOf(a, b) });

/** `a + b f`. */
export const addScaled = (a: Screw, b: Screw, f: Scalar): Screw => ({
  turn: plus(a.turn, times(b.turn, f)),
  x: plus(a.x, times(b.x, f)),
  z: plus(a.z, times(b.z, f)),
});

export const addInertias = (a: Inertia, b: Inertia): Inertia => ({
  tt: plus(a.tt, b.tt),
  tx: plus(a.tx, b.tx),
  tz: plus(a.tz, b.tz),
  xx: plus(a.xx, b.xx),
  xz: plus(a.xz, b.xz),
  zz: plus(a.zz, b.zz),
});

/** Velocity of the body's point at `r`. */
export const velocityAt = ({ turn, x, z }: Screw, r: Vector): Vector => ({
  x: plus(x, times(turn, r.z)),
  z: minus(z, times(turn, r.x)),
});

/** A force that acts at `r`. */
export const forceAt = ({ x, z }: Vector, r: Vector): Screw => ({
  turn: minus(times(x, r.z), times(z, r.x)),
  x,
  z,
});

/** Rotation about the point `r` at 1 rad/s. */
export const rotationAbout = ({ x, z }: Vector): Screw => ({ turn: 1, x: negative(z), z: x });

/** Power of a force in a motion. */
export const power = (force: Screw, motion: Screw): Scalar =>
  total(times(force.turn, motion.turn), times(force.x, motion.x), times(force.z, motion.z));

/** The force that gives a body of this inertia the acceleration `motion`. */
export const apply = ({ tt, tx, tz, xx, xz, zz }: Inertia, { turn, x, z }: Screw): Screw => ({
  turn: total(times(tt, turn), times(tx, x), times(tz, z)),
  x: total(times(tx, turn), times(xx, x), times(xz, z)),
  z: total(times(tz, turn), times(xz, x), times(zz, z)),
});

/** The inertia of something at `r` that resists the point's own motion by the matrix xx, xz, zz. */
export function inertiaAt(r: Vector, xx: Scalar, xz: Scalar, zz: Scalar): Inertia {
  const tx = minus(times(xx, r.z), times(xz, r.x));
  const tz = minus(times(xz, r.z), times(zz, r.x));
  return { tt: minus(times(tx, r.z), times(tz, r.x)), tx, tz, xx, xz, zz };
}

/** `inertia - force force^T f`. */
export function withoutRank(inertia: Inertia, force: Screw, f: Scalar): Inertia {
  const turn = times(force.turn, f);
  const x = times(force.x, f);
  return {
    tt: minus(inertia.tt, times(force.turn, turn)),
    tx: minus(inertia.tx, times(force.x, turn)),
    tz: minus(inertia.tz, times(force.z, turn)),
    xx: minus(inertia.xx, times(force.x, x)),
    xz: minus(inertia.xz, times(force.z, x)),
    zz: minus(inertia.zz, times(times(force.z, f), force.z)),
  };
}
