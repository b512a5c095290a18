/**
 * The classic environments in f64, written from their published equations of motion, independently of the
 * library's programs: accelerations are solved from the two coupled equations instead of a closed form.
 */
export interface Published {
  readonly state: readonly number[];
  readonly observation: readonly number[];
  readonly reward: number;
  readonly terminated: boolean;
  /**
   * Distance of the state from the termination boundary. Within rounding of it, f32 may decide differently.
   */
  readonly margin: number;
}

export type PublishedStep = (state: readonly number[], action: number) => Published;

type Four = readonly [number, number, number, number];
type Two = readonly [number, number];

/** Lower and upper bounds of the tested states. */
type Bounds = readonly (readonly [number, number])[];

/** Solves [a b; c d] [x; y] = [p; q]. */
function solve([a, b, c, d]: Four, [p, q]: Two): Two {
  const determinant = a * d - b * c;
  return [(p * d - b * q) / determinant, (a * q - p * c) / determinant];
}

const limit = (x: number, bound: number): number => Math.max(-bound, Math.min(bound, x));

function wrapped(angle: number): number {
  let result = angle;
  while (result > Math.PI) result -= 2 * Math.PI;
  while (result < -Math.PI) result += 2 * Math.PI;
  return result;
}

/** Barto, Sutton and Anderson 1983 without friction: 1 kg cart, 0.1 kg pole of 1 m, 10 N, 20 ms. */
const cartPole: PublishedStep = (given, action) => {
  const [x, v, theta, omega] = given as Four;
  const [s, c] = [Math.sin(theta), Math.cos(theta)];
  // (M + m) x'' + m l cos theta'' = F + m l omega^2 sin;  cos x'' + 4/3 l theta'' = g sin
  const force = (action === 1 ? 10 : -10) + 0.05 * omega * omega * s;
  const [vDot, omegaDot] = solve([1.1, 0.05 * c, c, (4 / 3) * 0.5], [force, 9.8 * s]);
  const state: Four = [x + 0.02 * v, v + 0.02 * vDot, theta + 0.02 * omega, omega + 0.02 * omegaDot];
  const [overX, overTheta] = [Math.abs(state[0]) - 2.4, Math.abs(state[2]) - Math.PI / 15];
  const margin = Math.min(Math.abs(overX), Math.abs(overTheta));
  return { state, observation: state, reward: 1, terminated: overX > 0 || overTheta > 0, margin };
};

/** M(q) q'' + C(q, q') + G(q) = (0, torque) of two equal rods of 1 kg, 1 m, 1 kg m^2. */
function acrobotRate([q1, q2, w1, w2]: Four, torque: number): Four {
  const [s2, c2] = [Math.sin(q2), Math.cos(q2)];
  const mass: Four = [0.25 + 1.25 + c2 + 2, 0.25 + 0.5 * c2 + 1, 0.25 + 0.5 * c2 + 1, 1.25];
  const gravity2 = 0.5 * 9.8 * Math.sin(q1 + q2);
  const right1 = 0.5 * s2 * (2 * w1 * w2 + w2 * w2) - 1.5 * 9.8 * Math.sin(q1) - gravity2;
  const right2 = torque - 0.5 * s2 * w1 * w1 - gravity2;
  return [w1, w2, ...solve(mass, [right1, right2])];
}

const along = (y: Four, k: Four, h: number): Four =>
  y.map((value, i) => value + h * (k[i] as number)) as [number, number, number, number];

/** Sutton 1996 with the classical Runge-Kutta method over 0.2 s. */
const acrobot: PublishedStep = (given, action) => {
  const y = given as Four;
  const torque = action - 1;
  const k1 = acrobotRate(y, torque);
  const k2 = acrobotRate(along(y, k1, 0.1), torque);
  const k3 = acrobotRate(along(y, k2, 0.1), torque);
  const k4 = acrobotRate(along(y, k3, 0.2), torque);
  const moved = along(along(along(along(y, k1, 0.2 / 6), k2, 0.2 / 3), k3, 0.2 / 3), k4, 0.2 / 6);
  const [q1, q2] = [wrapped(moved[0]), wrapped(moved[1])];
  const state: Four = [q1, q2, limit(moved[2], 4 * Math.PI), limit(moved[3], 9 * Math.PI)];
  const over = -Math.cos(q1) - Math.cos(q1 + q2) - 1;
  return {
    state,
    observation: [Math.cos(q1), Math.sin(q1), Math.cos(q2), Math.sin(q2), state[2], state[3]],
    reward: over > 0 ? 0 : -1,
    terminated: over > 0,
    margin: Math.abs(over),
  };
};

/** One step of a car in the valley of Moore 1990 with acceleration `push` and the goal at `flag`. */
function valleyCar([position, velocity]: Two, push: number, flag: number): Omit<Published, "reward"> {
  const speed = limit(velocity + push - 0.0025 * Math.cos(3 * position), 0.07);
  const place = Math.max(-1.2, Math.min(0.6, position + speed));
  const state: Two = [place, place === -1.2 && speed < 0 ? 0 : speed];
  const margin = Math.min(Math.abs(place - flag), Math.abs(speed));
  return { state, observation: state, terminated: place >= flag && state[1] >= 0, margin };
}

const mountainCar: PublishedStep = (given, action) => ({
  ...valleyCar(given as Two, 0.001 * (action - 1), 0.5),
  reward: -1,
});

/** The force is limited to 1, the action in the reward is not (Gymnasium). */
const mountainCarContinuous: PublishedStep = (given, action) => {
  const after = valleyCar(given as Two, 0.0015 * limit(action, 1), 0.45);
  return { ...after, reward: (after.terminated ? 100 : 0) - 0.1 * action ** 2 };
};

const VALLEY: Bounds = [
  [-1.2, 0.6],
  [-0.07, 0.07],
];

/** A rod of 1 kg and 1 m on a motor, g = 10 m/s^2, semi-implicit Euler steps of 50 ms. */
const pendulum: PublishedStep = (given, action) => {
  const [theta, omega] = given as Two;
  const torque = limit(action, 2);
  const moment = 1 / 3;
  const speed = limit(omega + (0.05 * (torque + 0.5 * 10 * Math.sin(theta))) / moment, 8);
  const state: Two = [theta + 0.05 * speed, speed];
  return {
    state,
    observation: [Math.cos(state[0]), Math.sin(state[0]), speed],
    reward: -(wrapped(theta) ** 2 + 0.1 * omega ** 2 + 0.001 * torque ** 2),
    terminated: false,
    margin: Infinity,
  };
};

const symmetric = (...sizes: readonly number[]): Bounds => sizes.map((size) => [-size, size]);

/**
 * Acrobot's velocities stay below 3 pi rad/s: Runge-Kutta steps of 0.2 s are ill-conditioned near the upper limits
 * (an f32 rounding of the state alone is amplified up to 10^5 times), so that no f32 arithmetic can follow f64 there.
 */
export const published: Readonly<Record<string, { readonly step: PublishedStep; readonly bounds: Bounds }>> =
  {
    "CartPole-v1": { step: cartPole, bounds: symmetric(2.4, 4, 0.21, 4) },
    "Acrobot-v1": { step: acrobot, bounds: symmetric(3.14, 3.14, 3 * Math.PI, 3 * Math.PI) },
    "MountainCar-v0": { step: mountainCar, bounds: VALLEY },
    "MountainCarContinuous-v0": { step: mountainCarContinuous, bounds: VALLEY },
    "Pendulum-v1": { step: pendulum, bounds: symmetric(80, 8) },
  };
