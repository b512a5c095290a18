/** An environment made by a JavaScript module, running in that module's sandbox. */
import { TimeoutError } from "../../evolution/members.ts";
import type { ModuleObject } from "../modules/UserModule.ts";
import type { LlmEnvironment, ResetOptions } from "./LlmEnvironment.ts";

type Answer<M extends "reset" | "step"> = Awaited<ReturnType<LlmEnvironment[M]>>;

export class ModuleEnvironment implements LlmEnvironment {
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
