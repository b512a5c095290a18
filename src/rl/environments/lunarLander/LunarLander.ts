/** LunarLander-v3, stepped on the host: Gymnasium's published dynamics with planck's rigid bodies. */
import { type Body, Vec2 } from "planck";
import type { Space } from "../../spaces.ts";
import type { HostMakeOptions } from "../definition/hostEnvironmentDefinition.ts";
import { type Draws, type Dynamics, EpisodicEnvironment, type Moved } from "../face/EpisodicEnvironment.ts";
import { bodyNumbers, placeBody, STEPS_PER_SECOND } from "../planck/bodies.ts";
import { BODY_NUMBERS } from "../planck/drawBodies.ts";
import {
  CONTINUOUS_ENGINES,
  DISCRETE_ENGINES,
  LUNAR_LANDER_OBSERVATIONS,
  type LunarLanderOptions,
  lunarLanderOptions,
} from "./definitions.ts";
import { drawLunarLander } from "./drawLunarLander.ts";
import {
  type Dispersion,
  fireMainEngine,
  fireSideEngine,
  IDLE,
  switched,
  type Throttle,
  throttled,
} from "./engines.ts";
import {
  GROUND_POINTS,
  groundHeights,
  HELIPAD_HEIGHT,
  LEG_JOINT,
  PIXELS_PER_METRE,
  STATE,
  STATE_SIZE,
  WORLD_HEIGHT,
  WORLD_WIDTH,
} from "./geometry.ts";
import { LanderWorld } from "./LanderWorld.ts";
import { gust } from "./wind.ts";

/** Largest initial push along each axis, N. */
const FIRST_PUSH = 1000;
/** Bound of the random step counts at which the wind starts. */
const WIND_COUNTS = 9999;
const FUEL_COST = { main: 0.3, side: 0.03 };

/**
 * A lander with three engines that must land on its legs between two flags. Reward: the increase of a
 * potential that favours a near, slow and upright lander with legs on the ground, minus fuel; -100 for a
 * crash or for leaving the view sideways, 100 for coming to rest. Source: Gymnasium's documentation and
 * published constants of LunarLander-v3.
 */
class LanderDynamics implements Dynamics {
  readonly observation_space = LUNAR_LANDER_OBSERVATIONS;
  readonly action_space: Space;
  readonly state_size = STATE_SIZE;
  readonly draw = drawLunarLander;
  readonly #options: LunarLanderOptions;
  #world: LanderWorld | null = null;
  #heights: readonly number[] = [];
  #throttle = IDLE;
  #windStep = 0;
  #turbulenceStep = 0;
  #potential = 0;

  constructor(options: LunarLanderOptions) {
    this.#options = options;
    this.action_space = options.continuous ? CONTINUOUS_ENGINES : DISCRETE_ENGINES;
  }

  /** New ground, the lander above the middle with a random push, and a first step without engines. */
  begin(draws: Draws): Observation {
    this.#heights = groundHeights(Array.from({ length: GROUND_POINTS + 1 }, () => draws.uniform()));
    const world = new LanderWorld(this.#heights, this.#options.gravity);
    this.#world = world;
    const push = new Vec2(FIRST_PUSH * spread(draws), FIRST_PUSH * spread(draws));
    world.lander.applyForceToCenter(push, true);
    if (this.#options.enable_wind) {
      this.#windStep = draws.integer(2 * WIND_COUNTS) - WIND_COUNTS;
      this.#turbulenceStep = draws.integer(2 * WIND_COUNTS) - WIND_COUNTS;
    }
    this.#move(world, IDLE, draws);
    const observation = observe(world);
    this.#potential = potentialOf(observation);
    return observation;
  }

  step(action: readonly number[], draws: Draws): Moved {
    const world = this.#running();
    const throttle = this.#options.continuous ? throttled(action) : switched(action);
    this.#move(world, throttle, draws);
    const observation = observe(world);
    const potential = potentialOf(observation);
    const fuel = FUEL_COST.main * throttle.main + FUEL_COST.side * Math.abs(throttle.side);
    let reward = potential - this.#potential - fuel;
    this.#potential = potential;
    const lost = world.touches.fallen || Math.abs(observation[0]) >= 1;
    const landed = !world.lander.isAwake();
    if (lost) reward = -100;
    if (landed) reward = 100;
    return { observation, reward, terminated: lost || landed };
  }

  /** The state of bodies, engines, wind and ground, in the layout of geometry.ts. */
  getState(): Float32Array | null {
    const world = this.#world;
    if (!world) return null;
    const state = new Float32Array(STATE_SIZE);
    for (const [i, body] of [world.lander, ...world.legs].entries())
      state.set(bodyNumbers(body), i * BODY_NUMBERS);
    state[STATE.main] = this.#throttle.main;
    state[STATE.side] = this.#throttle.side;
    state[STATE.wind] = this.#windStep;
    state[STATE.turbulence] = this.#turbulenceStep;
    state.set(this.#heights, STATE.heights);
    return state;
  }

  /**
   * Places the bodies. The physics engine's internal state (forces of the last step, how long the lander has been
   * at rest) is reset.
   */
  setState(values: readonly number[]): void {
    const number = (index: number): number => values[index] ?? 0;
    this.#heights = values.slice(STATE.heights);
    const world = new LanderWorld(this.#heights, this.#options.gravity);
    for (const [i, body] of [world.lander, ...world.legs].entries())
      placeBody(body, values.slice(i * BODY_NUMBERS, (i + 1) * BODY_NUMBERS));
    world.findContacts();
    this.#world = world;
    this.#throttle = { main: number(STATE.main), side: number(STATE.side) };
    this.#windStep = number(STATE.wind);
    this.#turbulenceStep = number(STATE.turbulence);
    this.#potential = potentialOf(observe(world));
  }

  #running(): LanderWorld {
    if (!this.#world) throw new Error("LunarLander: step() came before an episode began");
    return this.#world;
  }

  /** Applies wind and engines, then advances the bodies by one step. */
  #move(world: LanderWorld, throttle: Throttle, draws: Draws): void {
    const { lander } = world;
    if (this.#options.enable_wind && !world.touches.standing.includes(true)) this.#blow(lander);
    this.#throttle = throttle;
    const dispersion: Dispersion = [spread(draws) / PIXELS_PER_METRE, spread(draws) / PIXELS_PER_METRE];
    if (throttle.main > 0) fireMainEngine(lander, throttle.main, dispersion);
    if (throttle.side !== 0)
      fireSideEngine(lander, Math.sign(throttle.side), Math.abs(throttle.side), dispersion);
    world.step();
  }

  #blow(lander: Body): void {
    const { wind_power, turbulence_power } = this.#options;
    lander.applyForceToCenter(new Vec2(gust(this.#windStep++, wind_power), 0), true);
    lander.applyTorque(gust(this.#turbulenceStep++, turbulence_power), true);
  }
}

/** Uniform in [-1, 1). */
const spread = (draws: Draws): number => 2 * draws.uniform() - 1;

function observe({ lander, touches: { standing } }: LanderWorld): Observation {
  const [x, y, angle, vx, vy, turn] = bodyNumbers(lander);
  return [
    (x - WORLD_WIDTH / 2) / (WORLD_WIDTH / 2),
    (y - (HELIPAD_HEIGHT + LEG_JOINT.y)) / (WORLD_HEIGHT / 2),
    (vx * (WORLD_WIDTH / 2)) / STEPS_PER_SECOND,
    (vy * (WORLD_HEIGHT / 2)) / STEPS_PER_SECOND,
    angle,
    (20 * turn) / STEPS_PER_SECOND,
    standing[0] ? 1 : 0,
    standing[1] ? 1 : 0,
  ];
}

type Observation = readonly [
  x: number,
  y: number,
  vx: number,
  vy: number,
  angle: number,
  turn: number,
  left: number,
  right: number,
];

/** The potential whose increase is the shaping reward. */
function potentialOf([x, y, vx, vy, angle, , left, right]: Observation): number {
  const distance = Math.sqrt(x * x + y * y);
  const speed = Math.sqrt(vx * vx + vy * vy);
  return -100 * (distance + speed + Math.abs(angle)) + 10 * (left + right);
}

interface Facts {
  readonly id: string;
  readonly reward_threshold: number;
  /** Default of the option `continuous`. */
  readonly continuous: boolean;
}

/** @throws SpecError naming each option that is unknown or out of range. */
export const makeLunarLander = (
  { id, reward_threshold, continuous }: Facts,
  { max_episode_steps, ...options }: HostMakeOptions,
): EpisodicEnvironment =>
  new EpisodicEnvironment(
    { id, reward_threshold, max_episode_steps },
    new LanderDynamics(lunarLanderOptions(id, { continuous, ...options })),
  );
