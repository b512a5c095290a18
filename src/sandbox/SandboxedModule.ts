/** A user's module in its own sandbox, where its functions are called. */
import { type ModuleAnswer, type ModuleTask, TaskModule } from "../llm/modules.ts";
import { EnvironmentError } from "../rl/faces.ts";
import { reasonOf } from "../storage/files.ts";
import { taskReply } from "./messages.ts";
import { SandboxClient } from "./SandboxClient.ts";
import { type OpenSandbox, SandboxLostError, SandboxTimeoutError } from "./SandboxPort.ts";

interface SandboxedModuleOptions {
  /** Name used in messages. */
  readonly name: string;
  /** JavaScript source. An error of the promise is an error of loading the module. */
  readonly script: string | Promise<string>;
  /** Time limit for each reply, in seconds. */
  readonly timeout_s: number;
}

/**
 * Arguments and results are copied as JSON. Calls are queued, so the time limit
 * of each starts when it begins.
 */
export class SandboxedModule extends TaskModule {
  readonly #name: string;
  readonly #client: Promise<SandboxClient>;
  readonly #loaded: Promise<unknown>;
  /** Settles with the most recent call, whether it succeeds or fails. */
  #last: Promise<unknown>;

  constructor(open: OpenSandbox, { name, script, timeout_s }: SandboxedModuleOptions) {
    super();
    this.#name = `module ${name}`;
    this.#client = open().then(
      (port) => new SandboxClient(port, { name: this.#name, timeout_s }),
      (error: unknown) => {
        throw new SandboxLostError(`${this.#name}: ${reasonOf(error)}`, { cause: error });
      },
    );
    this.#loaded = this.#named("loading it", async () => {
      const given = await script;
      return (await this.#client).call({ call: "load", name, script: given }, { what: "loading it" });
    });
    // The first call reports a failed load.
    this.#last = this.#loaded.catch(() => undefined);
  }

  close(): void {
    this.#client.then(
      (client) => client.end(),
      () => undefined,
    );
  }

  protected async run(what: string, task: ModuleTask): Promise<ModuleAnswer> {
    const turn = this.#last;
    const answered = (async () => {
      await turn;
      await this.#loaded;
      const client = await this.#client;
      return this.#named(what, async () =>
        client.read(taskReply, await client.call({ call: "task", task }, { what }), what),
      );
    })();
    this.#last = answered.catch(() => undefined);
    return answered;
  }

  /** Names the module and the call in the module's own errors. */
  async #named<T>(what: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof SandboxTimeoutError || error instanceof SandboxLostError) throw error;
      throw new EnvironmentError(`${this.#name}: ${what}: ${reasonOf(error)}`, { cause: error });
    }
  }
}
