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

/** What a picture shows beyond the body at rest, as a factor on its size, and the ground below it, m. */
const ROOM = { across: 1.5, above: 1.3, below: 0.3 };

/**
 * Draws a planar body from the side, with the camera on its trunk.
 * @param start_z z of the pose at rest, m.
 */
export function drawPlanarBody(body: PlanarBody, start_z: number): DrawEnvironment {
  const atRest = capsulesOf(body, [0, start_z]);
  const ends = atRest.flatMap(({ from, to }) => [from, to]);
  const across = ROOM.across * Math.max(...ends.map(([x]) => Math.abs(x)));
  const top = ROOM.above * Math.max(...ends.map(([, z]) => z));
  return capsuleScene({ left: -across, right: across, bottom: -ROOM.below, top }, (state) => ({
    capsules: capsulesOf(body, state),
    x: at(state, 0),
  }));
}
