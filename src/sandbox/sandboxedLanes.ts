import { openSandbox } from "./openSandbox.ts";
import { SandboxedEnvironment } from "./SandboxedEnvironment.ts";
import type { UserEnvironment } from "./userEnvironments.ts";

/** Lanes of an opened environment, in their own sandbox. @throws As for `SandboxedEnvironment.open`. */
export const sandboxedLanes = (
  { id: name, module, entrypoint, timeout_s, options = {} }: UserEnvironment,
  num_envs: number,
): Promise<SandboxedEnvironment> =>
  SandboxedEnvironment.open(openSandbox, {
    name,
    script: module.script,
    entrypoint,
    options,
    num_envs,
    timeout_s,
  });
