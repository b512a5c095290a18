/** Models of bodies as tables, and their text in MuJoCo's format (MJCF). */

/** Numbers, one or several, as MJCF's attributes have them. */
type Value = number | string | boolean | readonly number[];
/** MJCF's attributes of an element, under their own names. */
export type Attributes = Readonly<Record<string, Value>>;
export type Vector = readonly [x: number, y: number, z: number];
export type Quaternion = readonly [w: number, x: number, y: number, z: number];

/** A joint of a body with its parent. */
export interface Joint {
  /** Absent for a joint that only moves the root or an object. */
  readonly name?: string;
  readonly type: "free" | "hinge" | "slide";
  readonly axis?: Vector;
  /** Anchor of a hinge in the body's frame, m (default: the body's origin). */
  readonly pos?: Vector;
  /** Position at which the body is as the table places it (default 0). */
  readonly ref?: number;
  /** Limits in degrees or radians, as the model's angles are, or m. */
  readonly range?: readonly [low: number, high: number];
  readonly more?: Attributes;
}

/** A shape of a body; its mass follows from its volume. */
export interface Geom {
  readonly type: "capsule" | "cylinder" | "plane" | "sphere";
  /** Radius, and half of the length of a capsule or cylinder without `fromto`; half sides of a plane. */
  readonly size: number | readonly number[];
  readonly pos?: Vector;
  readonly quat?: Quaternion;
  /** Both ends of its axis, in place of `pos` and `quat`. */
  readonly fromto?: readonly number[];
  /** Axis and angle, in place of `quat`. */
  readonly axisangle?: readonly number[];
  readonly more?: Attributes;
}

export interface BodyTable {
  readonly name?: string;
  readonly pos: Vector;
  readonly quat?: Quaternion;
  readonly joints?: readonly Joint[];
  readonly geoms?: readonly Geom[];
  /** A point whose place observations need. */
  readonly site?: Vector;
  readonly bodies?: readonly BodyTable[];
}

/** A motor on a joint: its force is the action times `gear`. */
export interface Motor {
  readonly joint: string;
  readonly gear: number;
}

export interface ModelTable {
  readonly degrees?: true;
  readonly compiler?: Attributes;
  readonly option: Attributes & { readonly timestep: number };
  /** Bytes for contacts and constraints of a simulation; MuJoCo's own guess is 20 to 50 times as much. */
  readonly memory: string;
  /** Attributes of all elements of a kind, unless an element has its own. */
  readonly defaults: { readonly geom?: Attributes; readonly joint?: Attributes };
  /** Limits of each motor's action. */
  readonly control: readonly [low: number, high: number];
  readonly geoms: readonly Geom[];
  readonly bodies: readonly BodyTable[];
  readonly motors: readonly Motor[];
  /** Lengths that are sums of joints' positions; they are observed, and exert nothing. */
  readonly tendons?: readonly Readonly<Record<string, number>>[];
}

/** An attribute that several elements may lack. */
type Optional = Readonly<Record<string, Value | undefined>>;

const written = (value: Value): string => (typeof value === "object" ? value.join(" ") : String(value));

function element(tag: string, attributes: Optional, inside = ""): string {
  const given = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${written(value)}"`],
  );
  const head = `<${tag}${given.join("")}`;
  return inside === "" ? `${head}/>` : `${head}>${inside}</${tag}>`;
}

const joined = <T>(parts: readonly T[] | undefined, write: (part: T) => string): string =>
  (parts ?? []).map(write).join("");

const flat = <T extends { readonly more?: Attributes }>({ more, ...own }: T): Optional => ({
  ...(own as Optional),
  ...more,
});

const geomText = (geom: Geom): string => element("geom", flat(geom));

const bodyText = ({ name, pos, quat, joints, geoms, site, bodies }: BodyTable): string =>
  element(
    "body",
    { name, pos, quat },
    joined(joints, (joint) => element("joint", flat(joint))) +
      joined(geoms, geomText) +
      (site === undefined ? "" : element("site", { pos: site, size: 0.01 })) +
      joined(bodies, bodyText),
  );

/** The model as MJCF. */
export const mjcf = (model: ModelTable): string => {
  const { degrees = false, compiler, option, memory, defaults, control, motors, tendons } = model;
  return element(
    "mujoco",
    {},
    element("compiler", { angle: degrees ? "degree" : "radian", ...compiler }) +
      element("option", option) +
      element("size", { memory }) +
      element(
        "default",
        {},
        element("geom", { ...defaults.geom }) +
          element("joint", { ...defaults.joint }) +
          element("motor", { ctrllimited: true, ctrlrange: control }),
      ) +
      element("worldbody", {}, joined(model.geoms, geomText) + joined(model.bodies, bodyText)) +
      element("tendon", {}, joined(tendons, tendonText)) +
      element(
        "actuator",
        {},
        joined(motors, (motor) => element("motor", { ...motor })),
      ),
  );
};

const tendonText = (joints: Readonly<Record<string, number>>): string =>
  element(
    "fixed",
    {},
    joined(Object.entries(joints), ([joint, coef]) => element("joint", { joint, coef })),
  );
