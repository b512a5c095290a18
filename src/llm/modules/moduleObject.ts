import type { ModuleTask } from "./moduleProtocol.ts";
import type { ModuleAnswer, ModuleObject } from "./UserModule.ts";

/**
 * An object that a module made.
 * @param made Result of the task that made it.
 * @param run Runs a task in the module.
 */
export function moduleObject(
  made: ModuleAnswer,
  run: (method: string, task: ModuleTask) => Promise<ModuleAnswer>,
): ModuleObject {
  const object = Number(made.value);
  let facts = made.facts ?? {};
  return {
    get facts() {
      return facts;
    },
    call: async (method, args) => {
      const answer = await run(method, { kind: "method", object, name: method, args });
      facts = answer.facts ?? facts;
      return answer.value;
    },
  };
}
