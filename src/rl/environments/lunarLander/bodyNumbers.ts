/** A body's motion as numbers. */
import { type Body, Vec2 } from "planck";

export type BodyNumbers = [x: number, y: number, angle: number, vx: number, vy: number, turn: number];

export function bodyNumbers(body: Body): BodyNumbers {
  const [position, velocity] = [body.getPosition(), body.getLinearVelocity()];
  return [position.x, position.y, body.getAngle(), velocity.x, velocity.y, body.getAngularVelocity()];
}

/** Sets a body's position, angle and velocities. */
export function placeBody(
  body: Body,
  [x = 0, y = 0, angle = 0, vx = 0, vy = 0, turn = 0]: readonly number[],
): void {
  body.setTransform(new Vec2(x, y), angle);
  body.setLinearVelocity(new Vec2(vx, vy));
  body.setAngularVelocity(turn);
}
