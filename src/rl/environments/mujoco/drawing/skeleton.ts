/** Where the shapes of a model are, from the positions of its joints: what MuJoCo computes, for a page that draws. */

import { at } from "../../drawing/scene.ts";
import { cosine, sine } from "../../dynamics/trigonometry.ts";
import type { BodyTable, Geom, Joint, ModelTable, Quaternion, Vector } from "../models/mjcf.ts";

/** A shape's axis: both ends are the same point for a ball, and for a hull. */
export interface Shape {
  readonly type: "capsule" | "cylinder" | "sphere" | "hull";
  /** Of a hull, the distance of its farthest point. */
  readonly radius: number;
  readonly ends: readonly [Vector, Vector];
  /** Corners of a hull: boxes, ellipsoids and meshes. */
  readonly corners?: readonly Vector[];
  /** Index of its body in the skeleton; -1 for the world. */
  readonly body: number;
}

/** What a joint moves, as far as drawings need it. */
export type Hinge = Pick<Joint, "name" | "axis" | "pos" | "ref"> & {
  readonly type: Joint["type"] | "ball";
};

export interface Bone {
  readonly name: string | undefined;
  readonly parent: number;
  readonly pos: Vector;
  readonly quat: Quaternion;
  readonly joints: readonly Hinge[];
  /** Index of its first joint's position. */
  readonly first: number;
}

export interface Skeleton {
  readonly bones: readonly Bone[];
  /** In their bodies' coordinates. */
  readonly shapes: readonly Shape[];
}

interface Pose {
  readonly pos: Vector;
  readonly quat: Quaternion;
}

const HERE: Pose = { pos: [0, 0, 0], quat: [1, 0, 0, 0] };

export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const scaled = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by];
const length = (a: readonly number[]): number => Math.sqrt(a.reduce((sum, x) => sum + x * x, 0));

const product = ([a, b, c, d]: Quaternion, [e, f, g, h]: Quaternion): Quaternion => [
  a * e - b * f - c * g - d * h,
  a * f + b * e + c * h - d * g,
  a * g - b * h + c * e + d * f,
  a * h + b * g - c * f + d * e,
];

/** A vector, turned. */
export function turned([w, x, y, z]: Quaternion, [a, b, c]: Vector): Vector {
  const [p, q, r] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * p + y * r - z * q, b + w * q + z * p - x * r, c + w * r + x * q - y * p];
}

function about(axis: Vector, angle: number): Quaternion {
  const s = sine(angle / 2) / length(axis);
  return [cosine(angle / 2), axis[0] * s, axis[1] * s, axis[2] * s];
}

export const unit = (q: readonly number[]): Quaternion => {
  const size = length(q) || 1;
  return [at(q, 0) / size, at(q, 1) / size, at(q, 2) / size, at(q, 3) / size];
};

/** The axis of a shape in its body's coordinates: along z, unless the table says otherwise. */
function shapeOf(geom: Geom, body: number): readonly Shape[] {
  if (geom.type === "plane") return [];
  const sizes = typeof geom.size === "number" ? [geom.size] : geom.size;
  const { type, fromto, axisangle, pos = [0, 0, 0] } = geom;
  const radius = at(sizes, 0);
  if (fromto !== undefined) {
    const [a, b, c, d, e, f] = Array.from({ length: 6 }, (_, i) => at(fromto, i)) as [
      ...[number, number, number],
      ...[number, number, number],
    ];
    return [{ type, radius, body, ends: [[a, b, c] as Vector, [d, e, f] as Vector] }];
  }
  const half = type === "sphere" ? 0 : at(sizes, 1);
  const quat = axisangle
    ? about([at(axisangle, 0), at(axisangle, 1), at(axisangle, 2)], at(axisangle, 3))
    : unit(geom.quat ?? HERE.quat);
  const arm = turned(quat, [0, 0, half]);
  return [{ type, radius, body, ends: [add(pos, arm), add(pos, scaled(arm, -1))] }];
}

/** A model's bodies in MuJoCo's order, and their shapes. */
export function skeletonOf(model: ModelTable): Skeleton {
  const bones: Bone[] = [];
  const shapes: Shape[] = model.geoms.flatMap((geom) => shapeOf(geom, -1));
  let next = 0;
  const walk = (
    { name, pos, quat, joints = [], geoms = [], bodies = [] }: BodyTable,
    parent: number,
  ): void => {
    const index = bones.length;
    bones.push({ name, parent, pos, quat: unit(quat ?? HERE.quat), joints, first: next });
    next += joints.reduce((sum, joint) => sum + jointSize(joint), 0);
    shapes.push(...geoms.flatMap((geom) => shapeOf(geom, index)));
    for (const inner of bodies) walk(inner, index);
  };
  for (const body of model.bodies) walk(body, -1);
  return { bones, shapes };
}

/** Positions of a joint. */
export const jointSize = ({ type }: Hinge): number => ({ free: 7, ball: 4, hinge: 1, slide: 1 })[type];

/** A joint's effect on its body's pose. @param from Index of the joint's first position. */
function moved({ pos, quat }: Pose, joint: Hinge, state: ArrayLike<number>, from: number): Pose {
  const { type, axis = [0, 0, 1], pos: anchor = [0, 0, 0], ref = 0 } = joint;
  if (type === "free")
    return { pos: [at(state, from), at(state, from + 1), at(state, from + 2)], quat: turn(state, from + 3) };
  if (type === "slide") return { pos: add(pos, scaled(turned(quat, axis), at(state, from) - ref)), quat };
  const fixed = add(pos, turned(quat, anchor));
  const next = product(quat, type === "ball" ? turn(state, from) : about(axis, at(state, from) - ref));
  return { pos: add(fixed, scaled(turned(next, anchor), -1)), quat: next };
}

/** A rotation among the positions of joints. */
const turn = (state: ArrayLike<number>, from: number): Quaternion =>
  unit([0, 1, 2, 3].map((offset) => at(state, from + offset)));

/** Shapes in the world, m, and the place of the first body. @param state Positions of all joints; more may follow. */
export function placed(
  { bones, shapes }: Skeleton,
  state: ArrayLike<number>,
): { readonly shapes: readonly Shape[]; readonly root: Vector } {
  const poses: Pose[] = [];
  for (const { parent, pos, quat, joints, first } of bones) {
    const above = poses[parent] ?? HERE;
    let pose: Pose = { pos: add(above.pos, turned(above.quat, pos)), quat: product(above.quat, quat) };
    let next = first;
    for (const joint of joints) {
      pose = moved(pose, joint, state, next);
      next += jointSize(joint);
    }
    poses.push(pose);
  }
  const world = shapes.map((shape): Shape => {
    const { pos, quat } = poses[shape.body] ?? HERE;
    const placedAt = (point: Vector): Vector => add(pos, turned(quat, point));
    const [from, to] = shape.ends;
    const corners = shape.corners && { corners: shape.corners.map(placedAt) };
    return { ...shape, ...corners, ends: [placedAt(from), placedAt(to)] };
  });
  return { shapes: world, root: poses[0]?.pos ?? HERE.pos };
}
