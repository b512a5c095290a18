/** BipedalWalker-v3, stepped on the host: Gymnasium's published dynamics with planck's rigid bodies. */
import { Vec2 } from "planck";
import type { HostMakeOptions } from "../definition/hostEnvironmentDefinition.ts";
import { type Draws, type Dynamics, EpisodicEnvironment, type Moved } from "../face/EpisodicEnvironment.ts";
import { bodyNumbers, placeBody, STEPS_PER_SECOND } from "../planck/bodies.ts";
import { BODY_NUMBERS } from "../planck/drawBodies.ts";
import { BIPEDAL_WALKER_MOTORS, BIPEDAL_WALKER_OBSERVATIONS, bipedalWalkerOptions } from "./definitions.ts";
import { drawBipedalWalker } from "./drawBipedalWalker.ts";
import {
  BOX_NUMBERS,
  GOAL_X,
  LIDAR_RAYS,
  MOST_BOXES,
  STATE,
  STATE_SIZE,
  TERRAIN_POINTS,
  VIEW_HEIGHT,
  VIEW_WIDTH,
} from "./geometry.ts";
import { drawTerrain, type Terrain } from "./terrain.ts";
import { WalkerWorld } from "./WalkerWorld.ts";

/** Largest initial push of the hull, N. */
const FIRST_PUSH = 5;
/** Cost of one motor's full torque in one step. */
const TORQUE_COST = 0.00035 * 80;
const IDLE = [0, 0, 0, 0] as const;

/**
 * A hull on two legs that walks over uneven terrain: motors turn hips and knees, ten lidar rays measure what is
 * ahead. Reward: the way forward, some 300 points in all, minus the tilt's increase and torque; -100 for a fall.
 * Source: Gymnasium's documentation and published constants of BipedalWalker-v3.
 */
export class WalkerDynamics implements Dynamics {
  readonly observation_space = BIPEDAL_WALKER_OBSERVATIONS;
  readonly action_space = BIPEDAL_WALKER_MOTORS;
  readonly state_size = STATE_SIZE;
  readonly draw = drawBipedalWalker;
  readonly #hardcore: boolean;
  #episode: { readonly world: WalkerWorld; readonly terrain: Terrain } | null = null;
  #efforts: readonly number[] = IDLE;
  #lidar: readonly number[] = [];
  #potential = 0;

  constructor(hardcore: boolean) {
    this.#hardcore = hardcore;
  }

  /** New terrain, the walker on its level start with a random push, and a first step without torque. */
  begin(draws: Draws): Float32Array {
    const world = this.#build(drawTerrain(this.#hardcore, draws));
    world.hull.applyForceToCenter(new Vec2(FIRST_PUSH * (2 * draws.uniform() - 1), 0), true);
    return this.#move(world, IDLE).observation;
  }

  step(action: readonly number[]): Moved {
    const { world } = this.#running();
    const efforts = action.map((effort) => Math.max(-1, Math.min(1, effort)));
    const before = this.#potential;
    const { observation, x } = this.#move(world, efforts);
    const torque = efforts.reduce((sum, effort) => sum + Math.abs(effort), 0);
    const lost = world.touches.fallen || x < 0;
    const reward = lost ? -100 : this.#potential - before - TORQUE_COST * torque;
    return { observation, reward, terminated: lost || x > GOAL_X };
  }

  getState(): Float32Array | null {
    if (!this.#episode) return null;
    const { world, terrain } = this.#episode;
    const state = new Float32Array(STATE_SIZE);
    for (const [i, body] of world.bodies.entries()) state.set(bodyNumbers(body), i * BODY_NUMBERS);
    state.set(this.#efforts, STATE.motors);
    state.set(world.touches.standing.map(Number), STATE.standing);
    state.set(this.#lidar, STATE.lidar);
    state.set(terrain.heights, STATE.heights);
    for (const [i, { x, y, width, height }] of terrain.boxes.entries())
      state.set([x, y, width, height], STATE.boxes + i * BOX_NUMBERS);
    return state;
  }

  /** Places the bodies. The physics engine's forces of the last step are reset. */
  setState(values: readonly number[]): void {
    const part = (start: number, length: number): number[] => values.slice(start, start + length);
    const boxes = Array.from({ length: MOST_BOXES }, (_, i) => {
      const [x = 0, y = 0, width = 0, height = 0] = part(STATE.boxes + i * BOX_NUMBERS, BOX_NUMBERS);
      return { x, y, width, height };
    }).filter(({ width, height }) => width > 0 && height > 0);
    const world = this.#build({ heights: part(STATE.heights, TERRAIN_POINTS), boxes });
    for (const [i, body] of world.bodies.entries()) placeBody(body, part(i * BODY_NUMBERS, BODY_NUMBERS));
    world.findContacts();
    for (const [i, stands] of part(STATE.standing, 2).entries()) world.touches.standing[i] = stands > 0;
    this.#efforts = part(STATE.motors, 4);
    this.#lidar = part(STATE.lidar, LIDAR_RAYS.length);
    this.#potential = potentialOf(world);
  }

  #build(terrain: Terrain): WalkerWorld {
    const world = new WalkerWorld(terrain);
    this.#episode = { world, terrain };
    return world;
  }

  #running(): { readonly world: WalkerWorld } {
    if (!this.#episode) throw new Error("BipedalWalker: step() came before an episode began");
    return this.#episode;
  }

  #move(world: WalkerWorld, efforts: readonly number[]) {
    this.#efforts = efforts;
    world.drive(efforts);
    world.step();
    this.#lidar = world.lidar();
    this.#potential = potentialOf(world);
    const [x, , angle, vx, vy, turn] = bodyNumbers(world.hull);
    const [left, right] = world.touches.standing.map(Number);
    const motions = world.jointMotions();
    const observation = Float32Array.from([
      angle,
      (2 * turn) / STEPS_PER_SECOND,
      (0.3 * vx * VIEW_WIDTH) / STEPS_PER_SECOND,
      (0.3 * vy * VIEW_HEIGHT) / STEPS_PER_SECOND,
      ...motions.slice(0, 2).flat(),
      left ?? 0,
      ...motions.slice(2).flat(),
      right ?? 0,
      ...this.#lidar,
    ]);
    return { observation, x };
  }
}

/** The potential whose increase is the reward for walking: 130 points for 30 m, less the tilt. */
function potentialOf({ hull }: WalkerWorld): number {
  return (130 * hull.getPosition().x) / 30 - 5 * Math.abs(hull.getAngle());
}

interface Facts {
  readonly id: string;
  readonly reward_threshold: number;
  /** Default of the option `hardcore`. */
  readonly hardcore: boolean;
}

/** @throws SpecError naming each option that is unknown or out of range. */
export const makeBipedalWalker = (
  { id, reward_threshold, hardcore }: Facts,
  { max_episode_steps, ...options }: HostMakeOptions,
): EpisodicEnvironment =>
  new EpisodicEnvironment(
    { id, reward_threshold, max_episode_steps },
    new WalkerDynamics(bipedalWalkerOptions(id, { hardcore, ...options }).hardcore),
  );
