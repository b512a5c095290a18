/** Loads the parts of a manifest's environment that are in JavaScript modules. */
import { TimeoutError } from "../../evolution/members.ts";
import { isMapping } from "../../specs/messages.ts";
import type { RolloutEnvSpec } from "../../specs/sections.ts";
import type { Rubric } from "../data/rows.ts";
import { moduleAddress } from "../modules/moduleProtocol.ts";
import type { ModuleObject, UserModules } from "../modules/UserModule.ts";
import type { Awaitable, LlmEnvironment, ResetOptions } from "./LlmEnvironment.ts";

type Answer<M extends "reset" | "step"> = Awaited<ReturnType<LlmEnvironment[M]>>;

/** An environment made by a JavaScript module, running in that module's sandbox. */
class ModuleEnvironment implements LlmEnvironment {
  /** Name in the manifest. */
  readonly name: string;
  readonly #make: () => Promise<ModuleObject>;
  #object: Promise<ModuleObject> | null = null;
  #facts: ModuleObject["facts"];
  /** The last switch of evaluation mode, which the next call waits for. */
  #switched: Promise<unknown> = Promise.resolve();

  /**
   * @param facts Properties of another environment of the same module, used until
   *   the first call makes this one.
   */
  constructor(name: string, facts: ModuleObject["facts"], make: () => Promise<ModuleObject>) {
    this.name = name;
    this.#facts = facts;
    this.#make = make;
  }

  get dataset_size(): number | undefined {
    return this.#facts.dataset_size;
  }

  get num_epochs(): number | undefined {
    return this.#facts.num_epochs;
  }

  reset(seed?: number, options: ResetOptions = {}): Promise<Answer<"reset">> {
    // The caller validates the result.
    return this.#call("reset", [seed, options]) as Promise<Answer<"reset">>;
  }

  step(action: string): Promise<Answer<"step">> {
    return this.#call("step", [action]) as Promise<Answer<"step">>;
  }

  setEvaluation(on: boolean): void {
    this.#switched = this.#call("setEvaluation", [on]);
    // The next call rethrows the error.
    this.#switched.catch(() => undefined);
  }

  async close(): Promise<void> {
    if (this.#object === null) return;
    await this.#call("close", []).catch((error: unknown) => {
      // The environment has ended with its sandbox.
      if (!(error instanceof TimeoutError)) throw error;
    });
  }

  async #call(method: string, args: readonly unknown[]): Promise<unknown> {
    await this.#switched;
    this.#object ??= this.#make();
    const object = await this.#object;
    const value = await object.call(method, args);
    this.#facts = object.facts;
    return value;
  }
}

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
