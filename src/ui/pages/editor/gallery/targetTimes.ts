/** Written by `npx tsx scripts/docs/writeResults.ts` from bench/results. */

/**
 * By template: the score that was reached, the environment steps of each agent until then, and the seconds where they were
 * measured; the middle one of the seeds that passed.
 */
export const TARGET_TIMES: Readonly<
  Record<string, { readonly score: number; readonly steps: number; readonly seconds: number | null }>
> = {
  "ddpg-lunarlander": { score: 200, steps: 160000, seconds: null },
  "ddpg-pendulum": { score: -200, steps: 10000, seconds: 5 },
  "dqn-bitflip-her": { score: -8, steps: 70000, seconds: 18 },
  "dqn-cartpole": { score: 475, steps: 10000, seconds: 2 },
  "dqn-lunarlander": { score: 200, steps: 100000, seconds: null },
  "dqn-mountaincar": { score: -120, steps: 60000, seconds: null },
  "es-cartpole": { score: 475, steps: 306528, seconds: 1 },
  "es-halfcheetah": { score: 2000, steps: 3264000, seconds: 17 },
  "ppo-acrobot": { score: -100, steps: 16384, seconds: 2 },
  "ppo-bipedalwalker": { score: 250, steps: 1318912, seconds: null },
  "ppo-breakout": { score: 8, steps: 163840, seconds: null },
  "ppo-cartpole": { score: 475, steps: 6144, seconds: 1 },
  "ppo-cartpole-masked": { score: 400, steps: 114688, seconds: 4 },
  "ppo-lunarlander": { score: 200, steps: 376832, seconds: null },
  "ppo-pendulum": { score: -200, steps: 65536, seconds: 6 },
  "ppo-taxi": { score: 7.5, steps: 90112, seconds: null },
  "rainbow-cartpole": { score: 475, steps: 22000, seconds: 5 },
  "sac-lunarlander": { score: 200, steps: 110000, seconds: null },
  "sac-pendulum": { score: -200, steps: 10000, seconds: 7 },
  "sac-pointmaze-her": { score: 0.9, steps: 16000, seconds: 11 },
  "td3-lunarlander": { score: 200, steps: 200000, seconds: null },
  "td3-pendulum": { score: -200, steps: 15000, seconds: 9 },
};

/** The machine that took these times. */
export const TARGET_MACHINE = "2 vCPU AMD EPYC";
