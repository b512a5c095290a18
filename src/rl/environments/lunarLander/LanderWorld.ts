/** The bodies of LunarLander in planck. */
import { type Body, BoxShape, EdgeShape, PolygonShape, RevoluteJoint, Vec2, World } from "planck";
import { GROUND_CATEGORY, stepWorld, Touches } from "../planck/bodies.ts";
import {
  groundX,
  LANDER_OUTLINE,
  LEG_JOINT,
  LEG_SIDES,
  LEG_SIZE,
  WORLD_HEIGHT,
  WORLD_WIDTH,
} from "./geometry.ts";

const LANDER_CATEGORY = 0x0010;
const LEG_CATEGORY = 0x0020;
/** Torque of the motor that unfolds a leg, N m. */
const LEG_TORQUE = 40;
/** Speed of that motor, rad/s. */
const LEG_SPEED = 0.3;
/** Angles between lander and leg, rad; mirrored for the right leg. */
const LEG_ANGLES = { start: 0.05, folded: 0.4, unfolded: 0.9 };

/** The world of one episode. Every episode has a new world, so no state carries over. */
export class LanderWorld {
  readonly lander: Body;
  /** Left and right leg. */
  readonly legs: readonly [Body, Body];
  /** The lander has crashed where it has fallen; its legs are its feet. */
  readonly touches: Touches;
  readonly #world: World;

  /** @param heights Heights of the ground's points, m. @param gravity Vertical gravity, m/s^2, negative. */
  constructor(heights: readonly number[], gravity: number) {
    this.#world = new World({ gravity: new Vec2(0, gravity) });
    this.#addGround(heights);
    this.lander = this.#addLander();
    this.legs = [this.#addLeg(LEG_SIDES[0]), this.#addLeg(LEG_SIDES[1])];
    this.touches = new Touches(this.#world, this.lander, this.legs);
  }

  /** Advances the world by 1/50 s. */
  step(): void {
    stepWorld(this.#world);
  }

  /** Detects contacts without moving any body. */
  findContacts(): void {
    this.#world.step(0);
  }

  #addGround(heights: readonly number[]): void {
    const ground = this.#world.createBody();
    const filter = { filterCategoryBits: GROUND_CATEGORY };
    ground.createFixture(new EdgeShape(new Vec2(0, 0), new Vec2(WORLD_WIDTH, 0)), filter);
    const points = heights.map((height, i) => new Vec2(groundX(i), height));
    for (const [i, to] of points.entries()) {
      const from = points[i - 1];
      if (from) ground.createFixture(new EdgeShape(from, to), { ...filter, friction: 0.1 });
    }
  }

  #addLander(): Body {
    const lander = this.#world.createDynamicBody(new Vec2(WORLD_WIDTH / 2, WORLD_HEIGHT));
    lander.createFixture(new PolygonShape(LANDER_OUTLINE), {
      density: 5,
      friction: 0.1,
      filterCategoryBits: LANDER_CATEGORY,
      filterMaskBits: GROUND_CATEGORY,
    });
    return lander;
  }

  #addLeg(side: number): Body {
    const position = new Vec2(WORLD_WIDTH / 2 - side * LEG_JOINT.x, WORLD_HEIGHT);
    const leg = this.#world.createDynamicBody(position, side * LEG_ANGLES.start);
    leg.createFixture(new BoxShape(LEG_SIZE.x, LEG_SIZE.y), {
      density: 1,
      friction: 0.2,
      filterCategoryBits: LEG_CATEGORY,
      filterMaskBits: GROUND_CATEGORY,
    });
    const limits = [-side * LEG_ANGLES.folded, -side * LEG_ANGLES.unfolded];
    const joint = new RevoluteJoint({
      bodyA: this.lander,
      bodyB: leg,
      localAnchorA: new Vec2(0, 0),
      localAnchorB: new Vec2(side * LEG_JOINT.x, LEG_JOINT.y),
      referenceAngle: 0,
      enableMotor: true,
      maxMotorTorque: LEG_TORQUE,
      motorSpeed: side * LEG_SPEED,
      enableLimit: true,
      lowerAngle: Math.min(...limits),
      upperAngle: Math.max(...limits),
    });
    this.#world.createJoint(joint);
    return leg;
  }
}
