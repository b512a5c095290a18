/** @throws RangeError unless `num_envs` is a positive integer. */
export function requireLanes(num_envs: number): number {
  if (!Number.isInteger(num_envs) || num_envs < 1)
    throw new RangeError(`num_envs: found ${num_envs}, allowed positive integers`);
  return num_envs;
}
