/** What of a manifest's environment comes from JavaScript modules. */
import { isMapping } from "../../specs/isMapping.ts";
import type { RolloutEnvSpec } from "../../specs/LLMEnvSpec.ts";
import { moduleAddress } from "../modules/moduleAddress.ts";
import type { UserModules } from "../modules/UserModules.ts";
import type { Awaitable, LlmEnvironment } from "./LlmEnvironment.ts";
import { ModuleEnvironment } from "./ModuleEnvironment.ts";
import type { Rubric } from "./rubrics.ts";

/** A function of a module as one of this thread. @throws Error where the module has none of that name. */
async function functionOf(modules: UserModules, path: string, name: string) {
  const module = modules.at(path);
  await module.requireFunction(name);
  return (...args: readonly unknown[]): Promise<unknown> => module.call(name, args);
}

/** The rubric that a module exports. Its answers are checked where they are read. */
export const moduleRubric = async (modules: UserModules, path: string, name: string): Promise<Rubric> =>
  (await functionOf(modules, path, name)) as Rubric;

/** The function that makes texts of observations; null where the manifest names none. */
export async function moduleProcessor(
  modules: UserModules,
  { observation_processor }: RolloutEnvSpec,
): Promise<((observation: unknown) => Awaitable<string>) | null> {
  const address = moduleAddress(observation_processor ?? "");
  if (address === null) return null;
  // Whoever reads the text checks that it is one.
  return (await functionOf(modules, address.path, address.name ?? "default")) as (
    observation: unknown,
  ) => Promise<string>;
}

/**
 * What makes the environments that a module has; null where the manifest names none. `entrypoint` is an export that is
 * called with `env_config`, or `factory` is one that is called with `entrypoint` and `env_config`.
 * @throws Error naming the module where it cannot be loaded, or makes no environment.
 */
export async function moduleEnvironments(
  modules: UserModules,
  { entrypoint, factory, env_config }: RolloutEnvSpec,
): Promise<(() => LlmEnvironment) | null> {
  const address = moduleAddress(factory ?? entrypoint ?? "");
  if (address === null) return null;
  const config = isMapping(env_config) ? env_config : {};
  const args = factory === null ? [config] : [entrypoint, config];
  const module = modules.at(address.path);
  const make = () => module.make(address.name ?? "default", args);
  // Made before the first rollout, so that one that cannot be made fails there.
  const first = await make();
  const spare = [first];
  const name = factory ?? entrypoint ?? "";
  return () => new ModuleEnvironment(name, first.facts, async () => spare.pop() ?? make());
}
