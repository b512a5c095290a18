/** An environment that a JavaScript module makes, in that module's thread. */
import { TimeoutError } from "../../evolution/TimeoutError.ts";
import type { ModuleObject } from "../modules/UserModule.ts";
import type { LlmEnvironment, ResetOptions } from "./LlmEnvironment.ts";

type Answer<M extends "reset" | "step"> = Awaited<ReturnType<LlmEnvironment[M]>>;

export class ModuleEnvironment implements LlmEnvironment {
  /** As the manifest names it. */
  readonly name: string;
  readonly #make: () => Promise<ModuleObject>;
  #object: Promise<ModuleObject> | null = null;
  #facts: ModuleObject["facts"];
  /** The switch that was asked for last, which the next call waits for. */
  #switched: Promise<unknown> = Promise.resolve();

  /** @param facts Of another environment of the same module, until this one is made: with its first call. */
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
    // Whoever calls an environment checks what comes of it.
    return this.#call("reset", [seed, options]) as Promise<Answer<"reset">>;
  }

  step(action: string): Promise<Answer<"step">> {
    return this.#call("step", [action]) as Promise<Answer<"step">>;
  }

  setEvaluation(on: boolean): void {
    this.#switched = this.#call("setEvaluation", [on]);
    // The next call throws it.
    this.#switched.catch(() => undefined);
  }

  async close(): Promise<void> {
    if (this.#object === null) return;
    await this.#call("close", []).catch((error: unknown) => {
      // With its thread it is gone anyway.
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
