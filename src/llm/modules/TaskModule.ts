import type { ModuleTask } from "./moduleProtocol.ts";
import type { ModuleAnswer, ModuleObject, UserModule } from "./UserModule.ts";

/** A module that does tasks, wherever it runs. */
export abstract class TaskModule implements UserModule {
  /** @param what What is done, for errors. */
  protected abstract run(what: string, task: ModuleTask): Promise<ModuleAnswer>;

  abstract close(): void;

  async requireFunction(name: string): Promise<void> {
    await this.run(name, { kind: "type", name });
  }

  async call(name: string, args: readonly unknown[]): Promise<unknown> {
    return (await this.run(name, { kind: "call", name, args })).value;
  }

  async make(name: string, args: readonly unknown[]): Promise<ModuleObject> {
    const made = await this.run(name, { kind: "make", name, args });
    const object = Number(made.value);
    let facts = made.facts ?? {};
    return {
      get facts() {
        return facts;
      },
      call: async (method, given) => {
        const answer = await this.run(method, { kind: "method", object, name: method, args: given });
        facts = answer.facts ?? facts;
        return answer.value;
      },
    };
  }
}
