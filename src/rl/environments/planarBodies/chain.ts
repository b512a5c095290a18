/** A body as numbers: masses, joints, points of contact, and how easily each can be moved. */
import type { PlanarCapsule, PlanarPoint, WholeBody } from "./PlanarBody.ts";

/** An end of a capsule. */
export interface ContactPoint {
  /** From the part's joint, in the part's own axes, m. */
  readonly at: PlanarPoint;
  readonly radius: number;
  readonly friction: number;
}

/** A part of the chain. The first one is the trunk, whose joint's fields are zeros. */
export interface Link {
  /** Index of the parent; -1 for the trunk. */
  readonly parent: number;
  readonly at: PlanarPoint;
  readonly axis: number;
  readonly range: readonly [number, number] | undefined;
  readonly damping: number;
  readonly stiffness: number;
  readonly armature: number;
  /** Undefined if the joint has no motor. */
  readonly gear: number | undefined;
  readonly mass: number;
  /** Centre of mass, from the part's joint. */
  readonly centre: PlanarPoint;
  /** Moment of inertia about the centre of mass, kg m^2. */
  readonly inertia: number;
  readonly points: readonly ContactPoint[];
}

/** Mass and moment of inertia of a capsule about its centre, for an axis across it. */
function solid({ from, to, radius: r }: PlanarCapsule, density: number) {
  const [dx, dz] = [to[0] - from[0], to[1] - from[1]];
  const h = Math.sqrt(dx * dx + dz * dz);
  const cylinder = density * Math.PI * r * r * h;
  const ends = (density * Math.PI * 4 * r * r * r) / 3;
  const inertia =
    (cylinder * (3 * r * r + h * h)) / 12 + ends * ((2 * r * r) / 5 + (h * (3 * r + 2 * h)) / 8);
  return { mass: cylinder + ends, inertia, x: (from[0] + to[0]) / 2, z: (from[1] + to[1]) / 2 };
}

/** Mass, centre and inertia of a part's capsules together. */
function together(capsules: readonly PlanarCapsule[], density: number) {
  const solids = capsules.map((capsule) => solid(capsule, density));
  const mass = solids.reduce((sum, s) => sum + s.mass, 0);
  const x = solids.reduce((sum, s) => sum + s.mass * s.x, 0) / mass;
  const z = solids.reduce((sum, s) => sum + s.mass * s.z, 0) / mass;
  const inertia = solids.reduce(
    (sum, s) => sum + s.inertia + s.mass * ((s.x - x) * (s.x - x) + (s.z - z) * (s.z - z)),
    0,
  );
  return { mass, centre: [x, z] as const, inertia };
}

/** The chain of a body: the trunk, then its parts in order. */
export function chainOf({ trunk, parts, density, total_mass }: WholeBody): Link[] {
  const fixed = {
    at: [0, 0] as const,
    axis: 1,
    range: undefined,
    damping: 0,
    stiffness: 0,
    armature: 0,
    gear: undefined,
  };
  const names = ["trunk", ...parts.map((part) => part.name)];
  const links = [
    { ...fixed, parent: -1, capsules: trunk.capsules },
    ...parts.map(({ parent = "trunk", range, gear, ...part }) => ({
      ...part,
      range,
      gear,
      parent: names.indexOf(parent),
    })),
  ].map(({ capsules, ...link }) => ({
    ...link,
    ...together(capsules, density),
    points: capsules.flatMap(({ from, to, radius, friction }) => [
      { at: from, radius, friction },
      { at: to, radius, friction },
    ]),
  }));
  const mass = links.reduce((sum, link) => sum + link.mass, 0);
  const scale = total_mass === undefined ? 1 : total_mass / mass;
  return links.map((link) => ({ ...link, mass: link.mass * scale, inertia: link.inertia * scale }));
}
