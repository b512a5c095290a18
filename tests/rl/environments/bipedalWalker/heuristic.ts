/**
 * The controller that Gymnasium publishes with BipedalWalker: one leg supports while the other swings forward, is put
 * down, and is pushed off; proportional-derivative rules move the joints to the phase's angles and keep the hull level.
 */
type Phase = "swing" | "put down" | "push off";

const SPEED = 0.29;
const BENT = 0.1;

/** Angle and speed of hip and knee, and whether the foot stands. */
type Leg = readonly [hip: number, hipSpeed: number, knee: number, kneeSpeed: number, stands: number];

const legOf = (observation: ArrayLike<number>, leg: number): Leg => {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = Array.from(observation).slice(4 + 5 * leg, 9 + 5 * leg);
  return [a, b, c, d, e];
};

/** A controller for one episode, which begins with a step without torque. @returns the next action for an observation. */
export function walker(): (observation: ArrayLike<number>) => number[] {
  let phase: Phase = "swing";
  let moving = 0;
  let knee = BENT;
  let started = false;
  return (observation) => {
    if (!started) {
      started = true;
      return [0, 0, 0, 0];
    }
    const [angle = 0, turn = 0, ahead = 0, up = 0] = Array.from(observation);
    const supporting = 1 - moving;
    const [swinging, standing] = [legOf(observation, moving), legOf(observation, supporting)];
    const hips: (number | null)[] = [null, null];
    const knees: (number | null)[] = [null, null];
    if (phase === "swing") {
      hips[moving] = 1.1;
      knees[moving] = -0.6;
      knee = Math.min(knee + (ahead > SPEED ? 0.06 : 0.03), BENT);
      knees[supporting] = knee;
      if (standing[0] < 0.1) phase = "put down";
    }
    if (phase === "put down") {
      hips[moving] = 0.1;
      knees[moving] = BENT;
      knees[supporting] = knee;
      if (swinging[4] > 0) {
        phase = "push off";
        knee = Math.min(swinging[2], BENT);
      }
    }
    if (phase === "push off") {
      knees[moving] = knee;
      knees[supporting] = 1;
      if (standing[2] > 0.88 || ahead > 1.2 * SPEED) {
        phase = "swing";
        moving = supporting;
      }
    }
    const level = 0.9 * angle + 1.5 * turn;
    return [0, 1].flatMap((leg) => {
      const [hip, hipSpeed, bend, kneeSpeed] = legOf(observation, leg);
      const [hipTarget, kneeTarget] = [hips[leg], knees[leg]];
      const hipEffort = hipTarget ? 0.9 * (hipTarget - hip) - 0.25 * hipSpeed : 0;
      const kneeEffort = kneeTarget ? 4 * (kneeTarget - bend) - 0.25 * kneeSpeed : 0;
      return [hipEffort + level, kneeEffort - 15 * up].map((effort) =>
        Math.max(-1, Math.min(1, 0.5 * effort)),
      );
    });
  };
}
