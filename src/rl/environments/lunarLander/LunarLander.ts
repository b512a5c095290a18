/** LunarLander-v3, stepped on the host: Gymnasium's published dynamics with planck's rigid bodies. */
import { type Body, Vec2 } from "planck";
import { entropySeed, Random, requireSeed } from "../../../evolution/random.ts";
import type { Space } from "../../spaces.ts";
import type { HostMakeOptions } from "../definition/hostEnvironmentDefinition.ts";
import { drawingOf, type RenderTarget } from "../drawing/drawing.ts";
import { actionValues } from "../face/action.ts";
import type { Action, RenderFrame, ResetOptions, ResetResult, StepResult } from "../face/HostEnvironment.ts";
import type { NamedEnvironment } from "../face/ParallelEnvironment.ts";
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
  BODY_NUMBERS,
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
import { bodyNumbers, LanderWorld, placeBody } from "./LanderWorld.ts";
import { gust } from "./wind.ts";

const STEPS_PER_SECOND = 50;
/** Largest initial push along each axis, N. */
const FIRST_PUSH = 1000;
/** Bound of the random step counts at which the wind starts. */
const WIND_COUNTS = 9999;
const FUEL_COST = { main: 0.3, side: 0.03 };

type Phase = "not reset" | "running" | "terminated" | "truncated" | "closed";

export interface LunarLanderSettings extends LunarLanderOptions {
  readonly id: string;
  readonly max_episode_steps: number;
  readonly reward_threshold: number;
}

/**
 * A lander with three engines that must land on its legs between two flags. Reward: the increase of a
 * potential that favours a near, slow and upright lander with legs on the ground, minus fuel; -100 for a
 * crash or for leaving the view sideways, 100 for coming to rest. Source: Gymnasium's documentation and
 * published constants of LunarLander-v3.
 */
export class LunarLander implements NamedEnvironment {
  readonly observation_space: Space = LUNAR_LANDER_OBSERVATIONS;
  readonly action_space: Space;
  readonly spec: NamedEnvironment["spec"];
  readonly #options: LunarLanderOptions;
  #random: Random | null = null;
  #world: LanderWorld | null = null;
  #heights: readonly number[] = [];
  #throttle = IDLE;
  #windStep = 0;
  #turbulenceStep = 0;
  #potential = 0;
  #elapsed = 0;
  #phase: Phase = "not reset";
  #lastAction: number | null = null;

  constructor({ id, max_episode_steps, reward_threshold, ...options }: LunarLanderSettings) {
    this.#options = options;
    this.action_space = options.continuous ? CONTINUOUS_ENGINES : DISCRETE_ENGINES;
    this.spec = { id, max_episode_steps, reward_threshold };
  }

  /**
   * Starts an episode: new ground, the lander above the middle with a random push, and a first step without
   * engines. The same seed gives the same episode, and the same episodes after it.
   *
   * @throws RangeError when the seed is not an integer from 0 to 2^53 - 1, or `options` has fields.
   */
  reset({ seed, options }: ResetOptions = {}): ResetResult<Float32Array> {
    this.#requireOpen();
    const { id } = this.spec;
    const [unknown] = Object.keys(options ?? {});
    if (unknown !== undefined) {
      throw new RangeError(
        `${id}: reset.options.${unknown} is unknown, none are allowed; give the environment's options to make`,
      );
    }
    if (seed !== undefined || !this.#random)
      this.#random = new Random({ seed: requireSeed(seed ?? entropySeed()), stream: "environment" });
    const random = this.#random;
    this.#heights = groundHeights(Array.from({ length: GROUND_POINTS + 1 }, () => random.uniform()));
    const world = new LanderWorld(this.#heights, this.#options.gravity);
    this.#world = world;
    const push = new Vec2(FIRST_PUSH * this.#spread(), FIRST_PUSH * this.#spread());
    world.lander.applyForceToCenter(push, true);
    if (this.#options.enable_wind) {
      this.#windStep = random.integer(2 * WIND_COUNTS) - WIND_COUNTS;
      this.#turbulenceStep = random.integer(2 * WIND_COUNTS) - WIND_COUNTS;
    }
    this.#begin();
    this.#move(world, IDLE);
    const observation = this.#observe(world);
    this.#potential = potentialOf(observation);
    return { observation: Float32Array.from(observation), info: {} };
  }

  /**
   * Takes one step of the current episode.
   *
   * @throws RangeError when the action is not in the action space (out-of-bounds throttles are allowed and
   * clipped).
   * @throws Error before the first reset, and after the episode has ended.
   */
  step(action: Action): StepResult<Float32Array> {
    this.#requireOpen();
    const { id, max_episode_steps } = this.spec;
    const world = this.#world;
    if (!world) throw new Error(`${id}: step() was called before reset(); call reset() first`);
    if (this.#phase !== "running")
      throw new Error(`${id}: the episode has ended (${this.#phase}); call reset() to start another`);
    const values = actionValues(this.action_space, action, `${id}: action`);
    const throttle = this.#options.continuous ? throttled(values) : switched(values);
    this.#move(world, throttle);
    this.#lastAction = values[0] ?? null;
    this.#elapsed++;
    const observation = this.#observe(world);
    const potential = potentialOf(observation);
    const fuel = FUEL_COST.main * throttle.main + FUEL_COST.side * Math.abs(throttle.side);
    let reward = potential - this.#potential - fuel;
    this.#potential = potential;
    const lost = world.crashed || Math.abs(observation[0]) >= 1;
    const landed = !world.lander.isAwake();
    if (lost) reward = -100;
    if (landed) reward = 100;
    const terminated = lost || landed;
    const truncated = this.#elapsed >= max_episode_steps;
    if (terminated || truncated) this.#phase = terminated ? "terminated" : "truncated";
    return { observation: Float32Array.from(observation), reward, terminated, truncated, info: {} };
  }

  /** Returns the state of bodies, engines, wind and ground, in the layout of landerState.ts. */
  getState(): Float32Array {
    const state = new Float32Array(STATE_SIZE);
    const world = this.#world;
    if (!world) return state;
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
   * Sets the environment's state. The physics engine's internal state (forces of the last step, how long the
   * lander has been at rest) is reset. A running episode continues with its step count; if none is running,
   * an episode begins.
   *
   * @throws RangeError when the state has the wrong length or a value is not finite.
   */
  setState(state: ArrayLike<number>): void {
    this.#requireOpen();
    const values = Array.from(state);
    if (values.length !== STATE_SIZE || !values.every(Number.isFinite)) {
      throw new RangeError(
        `${this.spec.id}: state: found [${values.join(", ")}], allowed ${STATE_SIZE} finite numbers (as getState gives them)`,
      );
    }
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
    this.#potential = potentialOf(this.#observe(world));
    if (this.#phase !== "running") this.#begin();
  }

  /** Returns a frame of the current state: plain data that can be sent to the thread that draws. */
  render(): RenderFrame;
  /** Draws the current state. */
  render(target: RenderTarget): void;
  render(target?: RenderTarget): RenderFrame | undefined {
    this.#requireOpen();
    const { id } = this.spec;
    if (!this.#world) throw new Error(`${id}: render() was called before reset(); call reset() first`);
    const frame: RenderFrame = { id, state: this.getState(), action: this.#lastAction };
    if (!target) return frame;
    drawingOf({ id, draw: drawLunarLander })?.(
      target.context,
      frame.state,
      frame.action,
      target.size,
      target.theme,
    );
    return undefined;
  }

  /** Releases the world; the environment can no longer be used. Further calls have no effect. */
  close(): void {
    this.#phase = "closed";
    this.#world = null;
  }

  #begin(): void {
    this.#phase = "running";
    this.#elapsed = 0;
    this.#lastAction = null;
  }

  /** Applies wind and engines, then advances the bodies by one step. */
  #move(world: LanderWorld, throttle: Throttle): void {
    const { lander } = world;
    if (this.#options.enable_wind && !world.standing.includes(true)) this.#blow(lander);
    this.#throttle = throttle;
    const dispersion: Dispersion = [this.#spread() / PIXELS_PER_METRE, this.#spread() / PIXELS_PER_METRE];
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

  /** Uniform in [-1, 1). */
  #spread(): number {
    return 2 * (this.#random ?? this.#seeded()).uniform() - 1;
  }

  /** Creates random numbers if a state was set before any reset. */
  #seeded(): Random {
    this.#random = new Random({ seed: entropySeed(), stream: "environment" });
    return this.#random;
  }

  #observe({ lander, standing }: LanderWorld): Observation {
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

  #requireOpen(): void {
    if (this.#phase === "closed") throw new Error(`${this.spec.id}: the environment is closed; make another`);
  }
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
): LunarLander =>
  new LunarLander({
    id,
    reward_threshold,
    max_episode_steps,
    ...lunarLanderOptions(id, { continuous, ...options }),
  });
