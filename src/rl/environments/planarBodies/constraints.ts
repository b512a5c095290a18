/**
 * Contacts with the ground and limits of joints as MuJoCo states them: soft, one-sided rows, four of which are the
 * edges of each contact's friction pyramid ("Computation: constraint model" of its manual). Two of the four lie across
 * the plane of motion, where nothing moves, so they act as one row of twice the weight.
 */
import { clip, greater, less, lessEqual, minimum, mul, select, type Tensor } from "../../../kernels/index.ts";
import type { Pose, Yielding } from "./articulated.ts";
import type { Link } from "./chain.ts";
import type { PlanarSoftness, WholeBody } from "./PlanarBody.ts";
import {
  addInertias,
  addScaled,
  forceAt,
  type Inertia,
  inertiaAt,
  type Screw,
  sumOf,
  type Vector,
  velocityAt,
} from "./plane.ts";
import { minus, negative, over, plus, type Scalar, times, total, where } from "./scalars.ts";

type Softness = Required<PlanarSoftness>;

/** MuJoCo keeps impedances away from 0 and 1. */
const IMPEDANCE = [0.0001, 0.9999] as const;
const limited = (d: number): number => Math.min(Math.max(d, IMPEDANCE[0]), IMPEDANCE[1]);

const raised = (x: Tensor, power: number): Tensor => (power <= 1 ? x : mul(x, raised(x, power - 1)));

/** Impedance at a depth >= 0, by the curve of `solimp`. */
function impedanceAt(depth: Tensor, solimp: Softness["solimp"]): Scalar {
  const [dmin, dmax] = [limited(solimp[0]), limited(solimp[1])];
  if (dmin === dmax) return dmin;
  const [, , width, midpoint, power] = solimp;
  const x = clip(mul(depth, 1 / width), 0, 1);
  const scale = (of: number): number =>
    1 /
    Array<number>(power - 1)
      .fill(of)
      .reduce((a, b) => a * b, 1);
  const rising = mul(raised(x, power), scale(midpoint));
  const falling = minus(1, times(raised(minus(1, x) as Tensor, power), scale(1 - midpoint)));
  const curve = power === 1 ? x : select(lessEqual(x, midpoint), rising, falling);
  return plus(times(curve, dmax - dmin), dmin);
}

/** Stiffness (per unit of impedance) and damping of a row. */
function springOf({ solref, solimp }: Softness, timeStep: number) {
  const [timeconst, dampratio] = [Math.max(solref[0], 2 * timeStep), solref[1]];
  const dmax = limited(solimp[1]);
  const stiffness = 1 / (dmax * dmax * timeconst * timeconst * dampratio * dampratio);
  return { stiffness, damping: 2 / (dmax * timeconst) };
}

/** A row's weight, and the acceleration (up, or toward the joint's range) below which it pushes. */
interface Row {
  readonly weight: Tensor;
  readonly aim: Scalar;
}

/** A point that may touch the ground. */
interface Contact extends Row {
  readonly link: number;
  /** Relative to the trunk's joint. */
  readonly place: Vector;
  readonly friction: number;
  /** Share of the aim that sliding forward adds to the edges of the pyramid. */
  readonly slide: Scalar;
}

/** A joint that may be beyond its range. */
interface Limit extends Row {
  readonly joint: number;
  /** 1 at the lower end of the range, -1 at the upper one. */
  readonly side: Scalar;
}

export interface Constraints {
  readonly contacts: readonly Contact[];
  readonly limits: readonly Limit[];
}

/** What constraints depend on. */
export interface Situation {
  readonly body: WholeBody;
  readonly links: readonly Link[];
  readonly yielding: Yielding;
  readonly poses: readonly Pose[];
  readonly motions: readonly Screw[];
  /** Height of the trunk's joint over the ground. */
  readonly height: Tensor;
  readonly angles: readonly Tensor[];
  readonly rates: readonly Tensor[];
}

/** All rows that may act. Those that do not have the weight 0. */
export function constraintsOf(situation: Situation): Constraints {
  const { links, body } = situation;
  const spring = springOf(body.contacts, body.time_step);
  const contacts = links.flatMap(({ points }, link) =>
    points.map((point): Contact => contactAt(situation, link, point, spring)),
  );
  const limits = links.flatMap(({ range }, joint) => (range ? [limitOf(situation, joint, range)] : []));
  return { contacts, limits };
}

function contactAt(
  { body, yielding, poses, motions, height }: Situation,
  link: number,
  { at, radius, friction }: Link["points"][number],
  { stiffness, damping }: ReturnType<typeof springOf>,
): Contact {
  const { joint, turned } = poses[link] as Pose;
  const end = sumOf(joint, turned(at));
  const distance = plus(plus(height, end.z), -radius) as Tensor;
  // The point of contact is in the middle between the two surfaces.
  const place = { x: end.x, z: minus(times(distance, 0.5), height) };
  const depth = minus(body.contacts.margin, distance) as Tensor;
  const impedance = impedanceAt(depth, body.contacts.solimp);
  const across = 1 + friction * friction;
  const scale = 1 / ((yielding.centres[link] ?? 0) * across * 2 * friction * friction);
  const velocity = velocityAt(motions[link] as Screw, place);
  return {
    link,
    place,
    friction,
    weight: where(greater(depth, 0), times(over(impedance, minus(1, impedance)), scale)) as Tensor,
    aim: minus(times(times(impedance, stiffness), depth), times(velocity.z, damping)),
    slide: times(velocity.x, damping * friction),
  };
}

function limitOf(
  { body, yielding, angles, rates }: Situation,
  joint: number,
  [low, high]: readonly [number, number],
): Limit {
  const { stiffness, damping } = springOf(body.limits, body.time_step);
  const [angle, rate] = [angles[joint] as Tensor, rates[joint] as Tensor];
  const [above, below] = [minus(angle, low) as Tensor, minus(high, angle) as Tensor];
  const depth = negative(minimum(above, below)) as Tensor;
  const side = select(less(above, below), 1, -1);
  const impedance = impedanceAt(depth, body.limits.solimp);
  const scale = 1 / (yielding.joints[joint] ?? 1);
  return {
    joint,
    side,
    weight: where(greater(depth, 0), times(over(impedance, minus(1, impedance)), scale)) as Tensor,
    aim: minus(times(times(impedance, stiffness), depth), times(times(rate, side), damping)),
  };
}

/** What acting rows add to a mechanical problem. */
export interface Reaction {
  readonly inertias: readonly Inertia[];
  readonly bias: readonly Screw[];
  readonly torques: readonly Scalar[];
  readonly rotors: readonly Scalar[];
}

/**
 * Adds the rows that push at the given accelerations: as springs on accelerations ("implicit", of which a Newton step
 * is made), or as the forces that they exert at these ("explicit").
 */
export function withReactions(
  problem: Reaction,
  { contacts, limits }: Constraints,
  motions: readonly Screw[],
  joints: readonly Scalar[],
  form: "implicit" | "explicit",
): Reaction {
  const implicit = form === "implicit";
  const [inertias, bias] = [[...problem.inertias], [...problem.bias]];
  const [torques, rotors] = [[...problem.torques], [...problem.rotors]];
  for (const { link, place, friction, weight, aim, slide } of contacts) {
    const { x, z } = velocityAt(motions[link] as Screw, place);
    const short = minus(aim, z);
    const sideways = plus(times(x, friction), slide);
    const edges = [minus(short, sideways), plus(short, sideways), short] as const;
    const [forward, backward, upward] = edges.map((missing) => where(greater(missing as Tensor, 0), weight));
    const [f, b, u] = [forward as Scalar, backward as Scalar, times(upward as Scalar, 2)];
    const goals = implicit ? ([minus(aim, slide), plus(aim, slide), aim] as const) : edges;
    const [pf, pb] = [times(f, goals[0]), times(b, goals[1])];
    const push = { x: times(minus(pf, pb), friction), z: total(pf, pb, times(u, goals[2])) };
    bias[link] = addScaled(bias[link] as Screw, forceAt(push, place), -1);
    if (!implicit) continue;
    const sum = plus(f, b);
    const spring = inertiaAt(
      place,
      times(sum, friction * friction),
      times(minus(f, b), friction),
      plus(sum, u),
    );
    inertias[link] = addInertias(inertias[link] as Inertia, spring);
  }
  for (const { joint, side, weight, aim } of limits) {
    const missing = minus(aim, times(joints[joint] ?? 0, side)) as Tensor;
    const acting = where(greater(missing, 0), weight);
    const push = times(times(acting, implicit ? aim : missing), side);
    torques[joint] = plus(torques[joint] ?? 0, push);
    if (implicit) rotors[joint] = plus(rotors[joint] ?? 0, acting);
  }
  return { inertias, bias, torques, rotors };
}
