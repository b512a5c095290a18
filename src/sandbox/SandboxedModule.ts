/** A user's module in a sandbox of its own, whose functions are called there. */
import { z } from "zod";
import type { LoadedTask } from "../llm/modules/ModuleTasks.ts";
import { moduleObject } from "../llm/modules/moduleObject.ts";
import { objectFacts } from "../llm/modules/moduleProtocol.ts";
import type { ModuleObject, UserModule } from "../llm/modules/UserModule.ts";
import { EnvironmentError } from "../rl/environments/face/EnvironmentError.ts";
import { reasonOf } from "../storage/storageError.ts";
import type { ModuleCall } from "./moduleMessages.ts";
import { SandboxClient } from "./SandboxClient.ts";
import { SandboxLostError } from "./SandboxLostError.ts";
import type { OpenSandbox } from "./SandboxPort.ts";

export interface SandboxedModuleOptions {
  /** What messages call it. */
  readonly name: string;
  /** JavaScript. */
  readonly script: string;
  /** Seconds that each answer may take. */
  readonly timeout_s: number;
}

/** Seconds that a call goes on at most where nobody is there any more to end the process. */
const ORPHANED_S = 5;

/** The module shares the sandbox with what answers for it, so its client believes nothing. */
const answerSchema = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), value: z.unknown().optional(), facts: objectFacts }),
  z.object({ ok: z.literal(false), message: z.string() }),
]);

type Answer = Extract<z.output<typeof answerSchema>, { readonly ok: true }>;

/** Numbers that JSON does not have come as text. */
const NUMBERS = new Map([
  ["-0", -0],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

function withNumbers(_key: string, value: unknown): unknown {
  const { $number } = Object(value) as { readonly $number?: unknown };
  return (typeof $number === "string" ? NUMBERS.get($number) : undefined) ?? value;
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text), withNumbers);
  } catch {
    return null;
  }
}

/**
 * Arguments and results are copies, as JSON has them. Calls wait for one another, so that the time of each counts from its
 * beginning.
 */
export class SandboxedModule implements UserModule {
  readonly #name: string;
  readonly #client: Promise<SandboxClient<ModuleCall>>;
  readonly #loaded: Promise<unknown>;
  /** Settles with the call that was asked for last, however that ends. */
  #last: Promise<unknown>;

  constructor(open: OpenSandbox, { name, script, timeout_s }: SandboxedModuleOptions) {
    this.#name = `module ${name}`;
    this.#client = open().then(
      (port) => new SandboxClient(port, { name: this.#name, timeout_s }),
      (error: unknown) => {
        throw new SandboxLostError(`${this.#name}: ${reasonOf(error)}`, { cause: error });
      },
    );
    const load = { call: "loading it", name: this.#name, script, limit_s: timeout_s + ORPHANED_S };
    this.#loaded = this.#client.then((client) => client.call(load));
    // The first call reports that it failed.
    this.#last = this.#loaded.catch(() => undefined);
  }

  async requireFunction(name: string): Promise<void> {
    await this.#run(name, { kind: "type", name });
  }

  async call(name: string, args: readonly unknown[]): Promise<unknown> {
    return (await this.#run(name, { kind: "call", name, args })).value;
  }

  async make(name: string, args: readonly unknown[]): Promise<ModuleObject> {
    const made = await this.#run(name, { kind: "make", name, args });
    return moduleObject(made, (method, task) => this.#run(method, task));
  }

  close(): void {
    this.#client.then(
      (client) => client.end(),
      () => undefined,
    );
  }

  async #run(what: string, task: LoadedTask): Promise<Answer> {
    const turn = this.#last;
    const answered = (async () => {
      await turn;
      await this.#loaded;
      const client = await this.#client;
      return client.call({ call: what, task: JSON.stringify(task) });
    })();
    this.#last = answered.catch(() => undefined);
    const { data } = answerSchema.safeParse(parsed(await answered));
    if (data?.ok) return data;
    throw new EnvironmentError(
      `${this.#name}: ${what}: ${data?.message ?? "found no answer as a module gives them"}`,
    );
  }
}
