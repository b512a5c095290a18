import { SandboxedEnvironment } from "../../src/sandbox/environments.ts";
import type { OpenSandbox } from "../../src/sandbox/sandboxes.ts";

export const LANES = 64;
export const MESSAGES = 5_000;
/** Warm-up messages, until the engine has compiled the code. */
const WARM = 500;

/** Start and end of the measured messages, in milliseconds of one clock. */
export type PlayMoment = { readonly begins: number } | { readonly ends: number };

/** Steps lanes of an environment without learning, one message at a time. */
export async function playLanes(
  open: OpenSandbox,
  script: string,
  tell: (moment: PlayMoment) => void,
): Promise<void> {
  const module = { name: "CartPole", script, entrypoint: null, options: {}, num_envs: LANES };
  const env = await SandboxedEnvironment.open(open, module);
  const actions = Float32Array.from({ length: LANES }, (_, lane) => lane % 2);
  await env.reset({ seed: 1 });
  for (let i = 0; i < WARM; i++) await env.step(actions);
  tell({ begins: performance.now() });
  for (let i = 0; i < MESSAGES; i++) await env.step(actions);
  tell({ ends: performance.now() });
  env.close();
}
