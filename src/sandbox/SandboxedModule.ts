/** A user's module in its own sandbox, where its functions are called. */
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
  /** Name used in messages. */
  readonly name: string;
  /** JavaScript source. */
  readonly script: string;
  /** Time limit for each reply, in seconds. */
  readonly timeout_s: number;
}

/** Extra seconds after which a call stops by itself if the parent cannot end the process. */
const ORPHANED_S = 5;

/** The module shares the sandbox with the code that replies for it, so the client validates every reply. */
const answerSchema = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), value: z.unknown().optional(), facts: objectFacts }),
  z.object({ ok: z.literal(false), message: z.string() }),
]);

type Answer = Extract<z.output<typeof answerSchema>, { readonly ok: true }>;

/** Numbers that JSON cannot represent arrive as text. */
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
 * Arguments and results are copied as JSON. Calls are queued, so the time limit
 * of each starts when it begins.
 */
export class SandboxedModule implements UserModule {
  readonly #name: string;
  readonly #client: Promise<SandboxClient<ModuleCall>>;
  readonly #loaded: Promise<unknown>;
  /** Settles with the most recent call, whether it succeeds or fails. */
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
    // The first call reports a failed load.
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
      `${this.#name}: ${what}: ${data?.message ?? "found an invalid reply from the module"}`,
    );
  }
}
