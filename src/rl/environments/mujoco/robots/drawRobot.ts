/** The drawing of a robot, from its compiled model: its shapes, and from where it is seen. */
import type { DrawEnvironment } from "../../drawing/drawing.ts";
import { drawSkeleton } from "../drawing/drawModel.ts";
import {
  add,
  type Bone,
  type Hinge,
  placed,
  type Shape,
  type Skeleton,
  scaled,
  turned,
  unit,
} from "../drawing/skeleton.ts";
import type { View } from "../drawing/views.ts";
import type { MjModel } from "../engine/loadMujoco.ts";
import type { Quaternion, Vector } from "../models/mjcf.ts";

/** MuJoCo's numbers of types of shapes. */
const [PLANE, HEIGHTS, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX] = [0, 1, 2, 3, 4, 5, 6];
const JOINTS = ["free", "ball", "slide", "hinge"] as const;
/** Groups below are those that MuJoCo's own viewer shows; others hold what only collides. */
const SHOWN = 3;

const vector = (values: ArrayLike<number>, index: number): Vector => [
  values[3 * index] ?? 0,
  values[3 * index + 1] ?? 0,
  values[3 * index + 2] ?? 0,
];
const rotation = (values: ArrayLike<number>, index: number): Quaternion =>
  unit([0, 1, 2, 3].map((i) => values[4 * index + i] ?? 0));

/** Directions in which a round shape or a mesh has a corner. */
const DIRECTIONS: readonly Vector[] = [-1, -0.5, 0, 0.5, 1].flatMap((x) =>
  [-1, -0.5, 0, 0.5, 1].flatMap((y) =>
    [-1, -0.5, 0, 0.5, 1].flatMap((z): Vector[] => {
      const size = Math.sqrt(x * x + y * y + z * z);
      const isOutside = Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) === 1;
      return isOutside ? [[x / size, y / size, z / size]] : [];
    }),
  ),
);

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** The points of a mesh that are farthest in some direction. */
function meshCorners({ mesh_vert, mesh_vertadr, mesh_vertnum }: MjModel, mesh: number): readonly Vector[] {
  const first = mesh_vertadr[mesh] ?? 0;
  const points = Array.from({ length: mesh_vertnum[mesh] ?? 0 }, (_, i) => vector(mesh_vert, first + i));
  const [one = [0, 0, 0]] = points;
  const far = DIRECTIONS.map((towards) =>
    points.reduce((best, point) => (dot(point, towards) > dot(best, towards) ? point : best), one),
  );
  return [...new Set(far)];
}

function cornersOf(model: MjModel, geom: number, size: Vector): readonly Vector[] {
  const type = model.geom_type[geom];
  if (type === BOX) {
    const signs = [-1, 1];
    return signs.flatMap((x) =>
      signs.flatMap((y) => signs.map((z): Vector => [x * size[0], y * size[1], z * size[2]])),
    );
  }
  if (type === ELLIPSOID)
    return DIRECTIONS.map(([x, y, z]): Vector => [x * size[0], y * size[1], z * size[2]]);
  return meshCorners(model, model.geom_dataid[geom] ?? -1);
}

/** A shape in its body's coordinates; none for the ground. */
function shapeOf(model: MjModel, geom: number): readonly Shape[] {
  const type = model.geom_type[geom] ?? PLANE;
  if (type === PLANE || type === HEIGHTS) return [];
  const [pos, quat, size] = [
    vector(model.geom_pos, geom),
    rotation(model.geom_quat, geom),
    vector(model.geom_size, geom),
  ];
  const body = (model.geom_bodyid[geom] ?? 0) - 1;
  if (type === SPHERE || type === CAPSULE || type === CYLINDER) {
    const name = type === SPHERE ? "sphere" : type === CAPSULE ? "capsule" : "cylinder";
    const arm = turned(quat, [0, 0, type === SPHERE ? 0 : size[1]]);
    return [{ type: name, radius: size[0], body, ends: [add(pos, arm), add(pos, scaled(arm, -1))] }];
  }
  const corners = cornersOf(model, geom, size).map((corner) => add(pos, turned(quat, corner)));
  if (corners.length === 0) return [];
  const away = corners.map((corner) => add(corner, scaled(pos, -1)));
  const radius = Math.sqrt(Math.max(...away.map((arm) => dot(arm, arm))));
  return [{ type: "hull", radius, body, ends: [pos, pos], corners }];
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/**
 * The shapes to draw. Models often have each shape twice, to look at and to collide, in two groups. What only collides
 * is left out of bodies that have both, if most bodies that collide do: else the other group holds mere ornaments.
 */
function shownGeoms(model: MjModel): readonly number[] {
  const groupOf = (geom: number): number => model.geom_group[geom] ?? 0;
  const collides = (geom: number): boolean =>
    Boolean(model.geom_contype[geom]) || Boolean(model.geom_conaffinity[geom]);
  const bodyOf = (geom: number): number => model.geom_bodyid[geom] ?? 0;
  const visible = numbers(model.ngeom).filter((geom) => model.geom_rgba[4 * geom + 3] !== 0);
  const inViewer = visible.filter((geom) => groupOf(geom) < SHOWN);
  // Without meshes to look at, what collides is all there is.
  const shown = inViewer.length > 0 ? inViewer : visible;
  const moving = shown.filter((geom) => bodyOf(geom) > 0);
  const solid = moving.filter(collides);
  const groups = new Set(solid.map(groupOf));
  const looks = new Set(moving.filter((geom) => !groups.has(groupOf(geom))).map(bodyOf));
  const bodies = new Set(solid.map(bodyOf));
  const both = new Set([...bodies].filter((body) => looks.has(body)));
  if (2 * both.size <= bodies.size) return shown;
  return shown.filter((geom) => !(collides(geom) && both.has(bodyOf(geom))));
}

/** Where a body is in its parent; one that is moved from outside is where the key frame has it. */
function placeOf(model: MjModel, body: number, keyframe: number | null): Pick<Bone, "pos" | "quat"> {
  const moved = model.body_mocapid[body] ?? -1;
  if (keyframe === null || moved < 0)
    return { pos: vector(model.body_pos, body), quat: rotation(model.body_quat, body) };
  const at = keyframe * model.nmocap + moved;
  return { pos: vector(model.key_mpos, at), quat: rotation(model.key_mquat, at) };
}

function skeletonOfModel(model: MjModel, names: readonly string[], keyframe: number | null): Skeleton {
  const joints = numbers(model.njnt).map((i) => {
    const type = JOINTS[model.jnt_type[i] ?? 0] ?? "hinge";
    const at = model.jnt_qposadr[i] ?? 0;
    const ref = model.qpos0[at] ?? 0;
    const hinge: Hinge = { type, axis: vector(model.jnt_axis, i), pos: vector(model.jnt_pos, i), ref };
    return { body: (model.jnt_bodyid[i] ?? 0) - 1, at, hinge };
  });
  const bones = numbers(model.nbody - 1).map((index): Bone => {
    const own = joints.filter(({ body }) => body === index);
    return {
      name: names[index + 1],
      parent: (model.body_parentid[index + 1] ?? 0) - 1,
      ...placeOf(model, index + 1, keyframe),
      joints: own.map(({ hinge }) => hinge),
      first: own[0]?.at ?? 0,
    };
  });
  return { bones, shapes: shownGeoms(model).flatMap((geom) => shapeOf(model, geom)) };
}

/** A round length of about a third of another: 1, 2 or 5 times a power of ten. */
function tileOf(length: number): number {
  const powers = numbers(13).map((i) => Number(`1e${i - 6}`));
  const steps = powers.flatMap((power) => [power, 2 * power, 5 * power]);
  return steps.find((step) => step >= length / 3) ?? 1;
}

/** Half of a picture's width and height, relative to the size of what is seen. */
const [WIDE, HIGH] = [0.85, 0.6];

/** The box around shapes; of 1 m around nothing. */
function bounds(shapes: readonly Shape[]): readonly [low: Vector, high: Vector] {
  const sides = shapes.flatMap(({ ends, radius }) =>
    ends.map((end) => ({
      low: add(end, [-radius, -radius, -radius]),
      high: add(end, [radius, radius, radius]),
    })),
  );
  if (sides.length === 0)
    return [
      [-0.5, -0.5, 0],
      [0.5, 0.5, 1],
    ];
  const each = (of: (axis: 0 | 1 | 2) => number): Vector => [of(0), of(1), of(2)];
  return [
    each((axis) => Math.min(...sides.map(({ low }) => low[axis]))),
    each((axis) => Math.max(...sides.map(({ high }) => high[axis]))),
  ];
}

/** Degrees of the camera above the ground and about the vertical axis, for bodies in space. */
const [ABOVE, AROUND] = [24, 25];

/** Seen whole, from the side if its first body moves in a plane, and followed if it can leave. */
function viewOf(model: MjModel, skeleton: Skeleton): View {
  const { bones } = skeleton;
  const first = bones[0]?.joints ?? [];
  const slides = first.filter(({ type }) => type === "slide").map(({ axis = [0, 0, 1] }) => axis);
  const isFree = first.some(({ type }) => type === "free");
  const along = (axis: 0 | 1): boolean => slides.some((one) => Math.abs(one[axis]) > 0.5);
  const isPlanar = along(0) && !along(1);
  const follows = isFree || (along(0) && along(1)) ? "xy" : isPlanar ? "x" : null;
  const { shapes, root } = placed(skeleton, model.qpos0);
  const [low, high] = bounds(follows === null ? shapes : shapes.filter(({ body }) => body >= 0));
  const across = add(high, scaled(low, -1));
  const size = Math.sqrt(dot(across, across));
  const middle = scaled(add(low, high), 0.5);
  const grounds = numbers(model.ngeom).filter((geom) => model.geom_type[geom] === PLANE);
  const height = Math.min(...grounds.map((geom) => vector(model.geom_pos, geom)[2]));
  return {
    half: [WIDE * size, HIGH * size],
    middle: [
      middle[0] - (follows === null ? 0 : root[0]),
      middle[1] - (follows === "xy" ? root[1] : 0),
      middle[2],
    ],
    follows,
    above: isPlanar ? 12 : ABOVE,
    around: isPlanar ? 0 : AROUND,
    ground: grounds.length === 0 ? null : [height, tileOf(size)],
  };
}

/**
 * A drawing of a robot's states, which begin with the positions of all joints.
 * @param names Of bodies, "" for none.
 * @param keyframe Number of the key frame that episodes start from; null for the model's own state.
 */
export function drawRobot(
  model: MjModel,
  names: readonly string[],
  keyframe: number | null = null,
): DrawEnvironment {
  const skeleton = skeletonOfModel(model, names, keyframe);
  return drawSkeleton(viewOf(model, skeleton), () => skeleton);
}
