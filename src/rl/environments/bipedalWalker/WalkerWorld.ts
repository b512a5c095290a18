/** The bodies of BipedalWalker in planck. */
import { type Body, BoxShape, EdgeShape, PolygonShape, RevoluteJoint, Vec2, World } from "planck";
import { GROUND_CATEGORY, polygonMass, stepWorld, Touches } from "../planck/bodies.ts";
import {
  HIP_Y,
  HULL_OUTLINE,
  LEG_LENGTH,
  LIDAR_RANGE,
  LIDAR_RAYS,
  LOWER_SIZE,
  START,
  terrainX,
  UPPER_SIZE,
} from "./geometry.ts";
import type { Terrain } from "./terrain.ts";

const GRAVITY = -10;
const GROUND_FRICTION = 2.5;
const WALKER_CATEGORY = 0x0020;
const LEG_FIXTURE = {
  density: 1,
  friction: 0.2,
  filterCategoryBits: WALKER_CATEGORY,
  filterMaskBits: GROUND_CATEGORY,
};

const HULL_DENSITY = 5;

/** Angle of the legs at the start, rad; mirrored for the first leg. */
const LEG_ANGLE = 0.05;
/** Largest torque of a motor, N m. */
const MOTOR_TORQUE = 80;
/** A joint's motor speed (rad/s) and its angles (rad). */
const HIP = { speed: 4, lower: -0.8, upper: 1.1 };
const KNEE = { speed: 6, lower: -1.6, upper: -0.1 };

/** Angle and speed of a joint, as observed. */
type JointMotion = readonly [angle: number, speed: number];

/** The world of one episode. Every episode has a new world, so no state carries over. */
export class WalkerWorld {
  readonly hull: Body;
  /** Hull, then upper and lower part of each leg. */
  readonly bodies: readonly Body[];
  readonly touches: Touches;
  readonly #world = new World({ gravity: new Vec2(0, GRAVITY) });
  /** Hip and knee of each leg. */
  readonly #joints: readonly RevoluteJoint[];

  constructor(terrain: Terrain) {
    this.#addTerrain(terrain);
    this.hull = this.#addHull();
    const [first, second] = [this.#addLeg(-1), this.#addLeg(1)];
    this.bodies = [this.hull, first.upper, first.lower, second.upper, second.lower];
    this.#joints = [...first.joints, ...second.joints];
    this.touches = new Touches(this.#world, this.hull, [first.lower, second.lower]);
  }

  /** Sets the motors: the sign of a number is a direction, its size the fraction of the largest torque. */
  drive(efforts: readonly number[]): void {
    for (const body of this.bodies) if (!body.isAwake()) body.setAwake(true);
    for (const [i, joint] of this.#joints.entries()) {
      const effort = efforts[i] ?? 0;
      joint.setMotorSpeed((i % 2 === 0 ? HIP : KNEE).speed * Math.sign(effort));
      joint.setMaxMotorTorque(MOTOR_TORQUE * Math.abs(effort));
    }
  }

  /** Advances the world by 1/50 s. */
  step(): void {
    stepWorld(this.#world);
  }

  /** Detects contacts without moving any body. */
  findContacts(): void {
    this.#world.step(0);
  }

  /** Angles in rad (of a knee plus 1) and speeds as fractions of the motors' of hip and knee of each leg. */
  jointMotions(): JointMotion[] {
    return this.#joints.map((joint, i) =>
      i % 2 === 0
        ? [joint.getJointAngle(), joint.getJointSpeed() / HIP.speed]
        : [joint.getJointAngle() + 1, joint.getJointSpeed() / KNEE.speed],
    );
  }

  /** Distances from the hull's origin to the ground along the rays, as fractions of the range; 1 beyond it. */
  lidar(): number[] {
    const from = this.hull.getPosition();
    return LIDAR_RAYS.map((ray) => {
      let nearest = 1;
      const to = new Vec2(from.x + ray.x * LIDAR_RANGE, from.y + ray.y * LIDAR_RANGE);
      this.#world.rayCast(from, to, (fixture, _point, _normal, fraction) => {
        if (fixture.getFilterCategoryBits() !== GROUND_CATEGORY) return -1;
        nearest = fraction;
        return fraction;
      });
      return nearest;
    });
  }

  #addTerrain({ heights, boxes }: Terrain): void {
    const ground = this.#world.createBody();
    const fixture = { friction: GROUND_FRICTION, filterCategoryBits: GROUND_CATEGORY };
    const points = heights.map((height, i) => new Vec2(terrainX(i), height));
    // From right to left: planck then finds contacts of one body in Box2D's order, from left to right.
    for (let i = points.length - 1; i > 0; i--) {
      const [from, to] = [points[i - 1], points[i]];
      if (from && to) ground.createFixture(new EdgeShape(from, to), fixture);
    }
    for (const { x, y, width, height } of boxes) {
      const centre = new Vec2(x + width / 2, y + height / 2);
      ground.createFixture(new BoxShape(width / 2, height / 2, centre), fixture);
    }
  }

  #addHull(): Body {
    const hull = this.#world.createDynamicBody(new Vec2(START.x, START.y));
    hull.createFixture(new PolygonShape(HULL_OUTLINE), { ...LEG_FIXTURE, friction: 0.1 });
    hull.setMassData(polygonMass(HULL_OUTLINE, HULL_DENSITY));
    return hull;
  }

  /** @param side -1 for the first leg, 1 for the second. */
  #addLeg(side: number) {
    const part = (middle: number, { x, y }: Readonly<{ x: number; y: number }>): Body => {
      const body = this.#world.createDynamicBody(
        new Vec2(START.x, START.y - HIP_Y - middle * LEG_LENGTH),
        side * LEG_ANGLE,
      );
      body.createFixture(new BoxShape(x, y), LEG_FIXTURE);
      return body;
    };
    const upper = part(0.5, UPPER_SIZE);
    const hip = this.#join(this.hull, HIP_Y, upper, HIP);
    const lower = part(1.5, LOWER_SIZE);
    const knee = this.#join(upper, -LEG_LENGTH / 2, lower, KNEE);
    return { upper, lower, joints: [hip, knee] };
  }

  /** @param y Height of the joint in the frame of the body above. */
  #join(above: Body, y: number, below: Body, { lower, upper }: typeof HIP): RevoluteJoint {
    const joint = new RevoluteJoint({
      bodyA: above,
      bodyB: below,
      localAnchorA: new Vec2(0, y),
      localAnchorB: new Vec2(0, LEG_LENGTH / 2),
      enableMotor: true,
      enableLimit: true,
      lowerAngle: lower,
      upperAngle: upper,
    });
    this.#world.createJoint(joint);
    return joint;
  }
}
