/** What environments share that step rigid bodies with planck, a JavaScript port of the Box2D physics engine. */
import { type Body, type Fixture, Vec2, type World } from "planck";

export const STEPS_PER_SECOND = 50;
const VELOCITY_ITERATIONS = 180;
const POSITION_ITERATIONS = 60;

/** Collision category of the ground. Bodies of one environment touch only the ground. */
export const GROUND_CATEGORY = 0x0001;

/** Advances a world by 1/50 s, with the iterations of Gymnasium's environments. */
export const stepWorld = (world: World): void =>
  world.step(1 / STEPS_PER_SECOND, VELOCITY_ITERATIONS, POSITION_ITERATIONS);

type BodyNumbers = [x: number, y: number, angle: number, vx: number, vy: number, turn: number];

/** A body's motion as numbers. */
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

/** Which bodies touch the ground, by Gymnasium's rules. */
export class Touches {
  /** Whether each foot stands: set where a contact begins, cleared where any contact of the foot ends. */
  readonly standing: [boolean, boolean] = [false, false];
  #fallen = false;
  readonly #trunk: Body;
  readonly #feet: readonly [Body, Body];

  /** @param trunk The body that must not touch the ground. */
  constructor(world: World, trunk: Body, feet: readonly [Body, Body]) {
    this.#trunk = trunk;
    this.#feet = feet;
    world.on("begin-contact", (contact) => this.#note(contact, true));
    world.on("end-contact", (contact) => this.#note(contact, false));
  }

  /** Whether the trunk has touched the ground. */
  get fallen(): boolean {
    return this.#fallen;
  }

  #note(contact: { getFixtureA(): Fixture; getFixtureB(): Fixture }, touches: boolean): void {
    const bodies = [contact.getFixtureA().getBody(), contact.getFixtureB().getBody()];
    if (touches && bodies.includes(this.#trunk)) this.#fallen = true;
    for (const [i, foot] of this.#feet.entries()) if (bodies.includes(foot)) this.standing[i] = touches;
  }
}

/**
 * Mass, centre of mass, and moment of inertia about the origin, of a polygon given counter-clockwise or clockwise.
 * planck 1.4's own centre of a polygon that is not symmetric is wrong: its y takes a summand from x.
 */
export function polygonMass(outline: readonly Readonly<{ x: number; y: number }>[], density: number) {
  let [area, x, y, inertia] = [0, 0, 0, 0];
  for (const [i, a] of outline.entries()) {
    const b = outline.at(i - 1) ?? a;
    const cross = a.x * b.y - a.y * b.x;
    area += cross / 2;
    x += (cross * (a.x + b.x)) / 6;
    y += (cross * (a.y + b.y)) / 6;
    inertia += (cross * (a.x * a.x + a.x * b.x + b.x * b.x + a.y * a.y + a.y * b.y + b.y * b.y)) / 12;
  }
  const side = Math.sign(area);
  return { mass: side * density * area, center: new Vec2(x / area, y / area), I: side * density * inertia };
}
