import { capsuleScene, type DrawnCapsule } from "../drawing/capsules.ts";
import type { DrawEnvironment } from "../drawing/drawing.ts";
import { at } from "../drawing/scene.ts";
import type { PlanarBody, PlanarCapsule, PlanarPoint } from "./PlanarBody.ts";

/** Where a part is: its joint, and its angle to the world's axes. */
interface Placed {
  readonly joint: PlanarPoint;
  readonly angle: number;
}

const worldPoint = ({ joint, angle }: Placed, [x, z]: PlanarPoint): PlanarPoint => {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [joint[0] + c * x + s * z, joint[1] - s * x + c * z];
};

/** Capsules of a body in a state, whose first numbers are x, z, the trunk's angle and the joints' angles. */
function capsulesOf({ trunk, parts }: PlanarBody, state: ArrayLike<number>): DrawnCapsule[] {
  const root: Placed = { joint: [at(state, 0), at(state, 1) + (trunk.height ?? 0)], angle: at(state, 2) };
  const placed = new Map([["trunk", root]]);
  const drawn = (where: Placed, depth: number, moving: boolean) => (capsule: PlanarCapsule) => ({
    from: worldPoint(where, capsule.from),
    to: worldPoint(where, capsule.to),
    radius: capsule.radius,
    depth,
    moving,
  });
  const limbs = parts.flatMap(
    ({ name, parent = "trunk", at: joint, axis = 1, depth = 0, gear, capsules }, i) => {
      const base = placed.get(parent) ?? root;
      const own = { joint: worldPoint(base, joint), angle: base.angle + axis * at(state, 3 + i) };
      placed.set(name, own);
      return capsules.map(drawn(own, depth, gear !== undefined));
    },
  );
  return [...limbs, ...trunk.capsules.map(drawn(root, 0, false))];
}

/** Where the trunk is, m: the first number of a state. */
export const trunkPlace = (state: ArrayLike<number>): number => at(state, 0);

/**
 * Draws a planar body from the side, with the camera on its trunk.
 * @param reach How much must be visible before, behind and above the trunk's place on the ground, m.
 */
export const drawPlanarBody = (body: PlanarBody, reach: number): DrawEnvironment =>
  capsuleScene({ left: -reach, right: reach, bottom: -0.4, top: 1.35 * reach }, (state) => ({
    capsules: capsulesOf(body, state),
    x: at(state, 0),
  }));
