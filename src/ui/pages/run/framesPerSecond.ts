/** Frames a second that Gymnasium gives the environments (`render_fps`). */
const FRAMES: Readonly<Record<string, number>> = {
  "CartPole-v1": 50,
  "Acrobot-v1": 15,
  "MountainCar-v0": 30,
  "Pendulum-v1": 30,
  "LunarLander-v3": 50,
  "LunarLanderContinuous-v3": 50,
  "rlkit/CartPole-masked-v1": 50,
  "rlkit/Acrobot-masked-v1": 15,
  "FrozenLake-v1": 4,
  "FrozenLake8x8-v1": 4,
  "CliffWalking-v1": 4,
  "CliffWalkingSlippery-v1": 4,
  "Taxi-v3": 4,
  "Taxi-v4": 4,
  "Blackjack-v1": 4,
};

/** MinAtar's own display shows a step for 50 ms. */
const MINATAR_FRAMES = 20;

/** Speed at which an environment looks as it was meant. */
export const framesPerSecond = (environment: string): number =>
  FRAMES[environment] ?? (environment.startsWith("MinAtar/") ? MINATAR_FRAMES : 30);
