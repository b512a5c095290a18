/** Loads the parts of a manifest's environment that are in JavaScript modules. */
import { isMapping } from "../../specs/messages.ts";
import type { RolloutEnvSpec } from "../../specs/sections.ts";
import { moduleAddress } from "../modules/moduleProtocol.ts";
import type { UserModules } from "../modules/UserModules.ts";
import type { Awaitable, LlmEnvironment } from "./LlmEnvironment.ts";
import { ModuleEnvironment } from "./ModuleEnvironment.ts";
import type { Rubric } from "./rubrics.ts";

/** A local function that calls one of a module. @throws Error if the module has no function of that name. */
async function functionOf(modules: UserModules, path: string, name: string) {
  const module = modules.at(path);
  await module.requireFunction(name);
  return (...args: readonly unknown[]): Promise<unknown> => module.call(name, args);
}

/** A rubric that a module exports. The code that reads its results validates them. */
export const moduleRubric = async (modules: UserModules, path: string, name: string): Promise<Rubric> =>
  (await functionOf(modules, path, name)) as Rubric;

/** The function that converts observations to text; `null` if the manifest names none. */
export async function moduleProcessor(
  modules: UserModules,
  { observation_processor }: RolloutEnvSpec,
): Promise<((observation: unknown) => Awaitable<string>) | null> {
  const address = moduleAddress(observation_processor ?? "");
  if (address === null) return null;
  // The code that reads the result checks that it is text.
  return (await functionOf(modules, address.path, address.name ?? "default")) as (
    observation: unknown,
  ) => Promise<string>;
}

/**
 * Returns a function that makes a module's environments; `null` if the manifest names no module.
 * `entrypoint` is an export to call with `env_config`; alternatively, `factory` is an export to call with
 * `entrypoint` and `env_config`.
 * @throws Error naming a module that cannot be loaded, or makes no environment.
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
  // Make one before the first rollout, so that a failure shows here.
  const first = await make();
  const spare = [first];
  const name = factory ?? entrypoint ?? "";
  return () => new ModuleEnvironment(name, first.facts, async () => spare.pop() ?? make());
}
