/**
 * The controller that Gymnasium publishes with LunarLander: two proportional-derivative rules, one for the angle and
 * one for hovering, and a threshold of 0.05 for firing an engine.
 */
export function heuristic(observation: ArrayLike<number>, continuous: boolean): number | number[] {
  const [x = 0, y = 0, vx = 0, vy = 0, angle = 0, turn = 0, left = 0, right = 0] = Array.from(observation);
  const lean = Math.max(-0.4, Math.min(0.4, 0.5 * x + vx));
  let angleCommand = 0.5 * (lean - angle) - turn;
  let hoverCommand = 0.5 * (0.55 * Math.abs(x) - y) - 0.5 * vy;
  if (left > 0 || right > 0) {
    angleCommand = 0;
    hoverCommand = -0.5 * vy;
  }
  if (continuous) return [hoverCommand * 20 - 1, -angleCommand * 20].map((u) => Math.max(-1, Math.min(1, u)));
  if (hoverCommand > Math.abs(angleCommand) && hoverCommand > 0.05) return 2;
  if (angleCommand < -0.05) return 3;
  return angleCommand > 0.05 ? 1 : 0;
}
