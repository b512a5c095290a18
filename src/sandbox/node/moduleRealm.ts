/**
 * Runs beside a user's module in its realm. Tasks and answers are text, so no object of Node's own realm,
 * with everything reachable from it, becomes accessible to the module.
 */
import { type LoadedTask, ModuleTasks } from "../../llm/modules/ModuleTasks.ts";

// Node awaits this realm's promises by their `then`, which no module may replace.
Object.freeze(Promise.prototype);
Object.freeze(Promise);
// WebAssembly memories are outside the heap, so the heap limit does not count them.
Reflect.deleteProperty(globalThis, "WebAssembly");

let tasks = new ModuleTasks({});
let answer = "";

/** JSON cannot represent infinities, NaN or negative zero. */
const withNumbers = (_key: string, value: unknown): unknown =>
  typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0))
    ? { $number: Object.is(value, -0) ? "-0" : String(value) }
    : value;

async function work(task: LoadedTask): Promise<void> {
  try {
    answer = JSON.stringify({ ok: true, ...(await tasks.run(task)) }, withNumbers);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    answer = JSON.stringify({ ok: false, message });
  }
}

/** The process calls these functions by name from its own scripts. */
Object.defineProperty(globalThis, "rlkit", {
  value: Object.freeze({
    take: (exported: Readonly<Record<string, unknown>>): void => {
      tasks = new ModuleTasks(exported);
    },
    begin: (task: string): void => {
      answer = "";
      void work(JSON.parse(task));
    },
    /** Empty until the current task is done. */
    answer: (): string => answer,
  }),
});
