/** Environments of planar bodies that move forward: MuJoCo's tasks HalfCheetah, Hopper and Walker2d, and others alike. */
import { z } from "zod";
import { boxMuller } from "../../../kernels/functions.ts";
import {
  add,
  and,
  clip,
  column,
  greater,
  less,
  mul,
  not,
  select,
  stackColumns,
  type Tensor,
  zeros,
} from "../../../kernels/index.ts";
import { Box } from "../../spaces.ts";
import type { Appearance } from "../definition/Appearance.ts";
import { type CompiledEnvironment, withArguments } from "../definition/compiledEnvironment.ts";
import { planarNames } from "../definition/planarNames.ts";
import { randomEnvironment } from "../definition/randomEnvironment.ts";
import { drawPlanarBody, trunkPlace } from "./drawPlanarBody.ts";
import { advance, type Mechanism, type Moving, mechanismOf } from "./dynamics.ts";
import { type PlanarBody, wholeBody } from "./PlanarBody.ts";
import { minus, plus, type Scalar, times, total } from "./scalars.ts";

type Range = readonly [low: number, high: number];

/** A task of a planar body. Options of the environment, which have Gymnasium's names, replace its numbers. */
export interface PlanarTask extends Appearance {
  /** With its version, such as "mine/Crawler-v0". */
  readonly id: string;
  readonly body: PlanarBody;
  /** Steps of the integrator per step of the environment. */
  readonly frame_skip: number;
  /** Reward per m/s of the trunk's joint, forward (default: 1). */
  readonly forward_reward_weight?: number;
  /** Cost of the sum of squared actions (default: 0). */
  readonly ctrl_cost_weight?: number;
  /** Reward of every step after which the body is healthy (default: 0). */
  readonly healthy_reward?: number;
  /** The body is healthy while z is inside, m (default: no limits). By default, an episode ends when it is not. */
  readonly healthy_z_range?: Range;
  /** The same for the trunk's angle, rad. */
  readonly healthy_angle_range?: Range;
  /** The same for all coordinates but x and z, and for all rates. */
  readonly healthy_state_range?: Range;
  /** First states differ from the pose at rest by at most this in each coordinate and rate (default: 0.005). */
  readonly reset_noise_scale?: number;
  /** Whether first rates are normal, with this deviation (default: false). */
  readonly normal_rates?: boolean;
  /** z of the pose at rest, m (default: 0). */
  readonly start_z?: number;
  /** Rates are observed within plus and minus this (default: without limits). */
  readonly rate_limit?: number;
  /** Default: 1000. */
  readonly max_episode_steps?: number;
  /** Default: null. */
  readonly reward_threshold?: number | null;
}

const EVERYTHING: Range = [-Infinity, Infinity];

/** Options under Gymnasium's names, with the task's numbers as defaults. */
function optionsOf(task: PlanarTask) {
  const range = (usual = EVERYTHING) => z.tuple([z.number(), z.number()]).readonly().default(usual);
  return {
    frame_skip: z.int().min(1).max(1000).default(task.frame_skip),
    forward_reward_weight: z.number().default(task.forward_reward_weight ?? 1),
    ctrl_cost_weight: z.number().default(task.ctrl_cost_weight ?? 0),
    healthy_reward: z.number().default(task.healthy_reward ?? 0),
    terminate_when_unhealthy: z.boolean().default(true),
    healthy_z_range: range(task.healthy_z_range),
    healthy_angle_range: range(task.healthy_angle_range),
    healthy_state_range: range(task.healthy_state_range),
    reset_noise_scale: z
      .number()
      .min(0)
      .default(task.reset_noise_scale ?? 0.005),
    exclude_current_positions_from_observation: z.boolean().default(true),
  };
}

/** Names of the coordinates: variables of the state, whose rates follow as `..._velocity`. */
const coordinatesOf = (body: PlanarBody): string[] => [
  "x",
  "z",
  "angle",
  ...body.parts.map(({ name }) => name),
];

/** Conditions that hold in all lanes where the value is inside each range; none for ranges without ends. */
const inside = (value: Tensor, [low, high]: Range): Tensor[] => [
  ...(low > -Infinity ? [greater(value, low)] : []),
  ...(high < Infinity ? [less(value, high)] : []),
];

/**
 * An environment whose state and program follow from a table: the body, and what it is rewarded for.
 * Observation: z, the trunk's angle, the joints' angles, then the rates of x and of all these. Action: from -1 to 1
 * for each joint with a motor, in the order of the parts.
 *
 * @throws SpecError naming the id and each field of the body that is invalid.
 *
 * @example
 * ```ts
 * const pole = { from: [0, 0], to: [0, 0.6], radius: 0.05 } as const;
 * registerEnvironment(
 *   planarTask({
 *     id: "mine/Inchworm-v0",
 *     frame_skip: 5,
 *     body: {
 *       trunk: { height: 0.06, capsules: [{ from: [-0.4, 0], to: [0, 0], radius: 0.05 }] },
 *       parts: [{ name: "tail", at: [0, 0], gear: 20, capsules: [{ from: [0, 0], to: [0.4, 0], radius: 0.05 }] }],
 *     },
 *   }),
 * );
 * ```
 */
export function planarTask(task: PlanarTask): CompiledEnvironment {
  const body = wholeBody(task.body, task.id);
  let known: Mechanism | null = null;
  // Takes 20 ms a body, which every page and worker that only lists environments would spend.
  const mechanismAtUse = (): Mechanism => (known ??= mechanismOf(body));
  const motors = task.body.parts.filter(({ gear }) => gear !== undefined).length;
  const coordinates = coordinatesOf(task.body);
  const rates = coordinates.map((name) => `${name}_velocity`);
  const n = coordinates.length;
  const { id, max_episode_steps = 1000, reward_threshold = null, rate_limit = Infinity, start_z = 0 } = task;
  return withArguments(id, optionsOf(task), (given) => {
    const first = given.exclude_current_positions_from_observation ? 1 : 0;
    const scale = given.reset_noise_scale;
    const normals = task.normal_rates ? n + (n % 2) : n;
    const { draw = drawPlanarBody(task.body, start_z), glyph, frame_rate, place = trunkPlace } = task;
    const movingOf = (state: Readonly<Record<string, Tensor>>): Moving => ({
      places: coordinates.map((name) => state[name] as Tensor),
      rates: rates.map((name) => state[name] as Tensor),
    });
    const named = (moving: Moving): Record<string, Tensor> =>
      Object.fromEntries(
        [...coordinates, ...rates].map((name, i) => [name, [...moving.places, ...moving.rates][i] as Tensor]),
      );
    return randomEnvironment<string>({
      id,
      observation_space: new Box({ low: -Infinity, high: Infinity, shape: [2 * n - first] }),
      action_space: new Box({ low: -1, high: 1, shape: [motors] }),
      observation_names: planarNames(coordinates.slice(3), first === 0),
      action_names: task.body.parts.filter(({ gear }) => gear !== undefined).map(({ name }) => name),
      max_episode_steps,
      reward_threshold,
      variables: [...coordinates, ...rates],
      resetDraws: n + normals,
      stepDraws: 0,
      draw,
      place,
      ...(glyph && { glyph }),
      frame_rate: frame_rate ?? Math.round(1 / (body.time_step * given.frame_skip)),
      reset: (draws) => {
        const spread = (draw: Tensor, centre = 0): Tensor => add(mul(draw, 2 * scale), centre - scale);
        const [still, pushed] = [draws.slice(0, n), draws.slice(n)];
        return named({
          places: still.map((draw, i) => spread(draw, i === 1 ? start_z : 0)),
          rates: task.normal_rates
            ? boxMuller(pushed)
                .slice(0, n)
                .map((value) => mul(value, scale))
            : pushed.map((draw) => spread(draw)),
        });
      },
      observe: (state) => {
        const moving = movingOf(state);
        const seen = moving.rates.map((rate) =>
          rate_limit < Infinity ? clip(rate, -rate_limit, rate_limit) : rate,
        );
        return stackColumns([...moving.places.slice(first), ...seen]);
      },
      step: (state, action) => {
        const mechanism = mechanismAtUse();
        const before = movingOf(state);
        const [x] = before.places as [Tensor];
        const controls = Array.from({ length: motors }, (_, i) => clip(column(action, i), -1, 1));
        // Motion does not depend on x. From 0, small steps lose no digits far from the start.
        const start = { places: [zeros(x.shape), ...before.places.slice(1)], rates: before.rates };
        const after = advance(mechanism, start, torquesOf(mechanism, controls), given.frame_skip);
        const [dx, z, angle] = after.places as [Tensor, Tensor, Tensor];
        const healthy = [
          ...inside(z, given.healthy_z_range),
          ...inside(angle, given.healthy_angle_range),
          ...[...after.places.slice(2), ...after.rates].flatMap((value) =>
            inside(value, given.healthy_state_range),
          ),
        ];
        const fit = healthy.length > 0 ? healthy.reduce(and) : null;
        const alive: Scalar = fit ? select(fit, given.healthy_reward, 0) : given.healthy_reward;
        const forward = times(dx, given.forward_reward_weight / (body.time_step * given.frame_skip));
        const cost = times(
          total(...controls.map((control) => times(control, control))),
          given.ctrl_cost_weight,
        );
        return {
          state: named({ places: [add(x, dx), ...after.places.slice(1)], rates: after.rates }),
          reward: plus(minus(forward, cost), alive) as Tensor,
          terminated: fit && given.terminate_when_unhealthy ? not(fit) : zeros(x.shape, "bool"),
        };
      },
    });
  });
}

/** Torques of the motors by link; joints without one have 0. */
function torquesOf({ links }: Mechanism, controls: readonly Tensor[]): Scalar[] {
  let next = 0;
  return links.map(({ gear }) => (gear === undefined ? 0 : times(controls[next++] as Tensor, gear)));
}
