/**
 * What runs beside a user's module in its realm. Tasks come as text and answers go as text, so that no object of Node's
 * own realm, with all that hangs on it, gets into the module's hands.
 */
import { type LoadedTask, ModuleTasks } from "../../llm/modules/ModuleTasks.ts";

// Node waits for promises of this realm by their `then`, which no module may put its own in the place of.
Object.freeze(Promise.prototype);
Object.freeze(Promise);
// Its memories are none of the heap, whose limit does not count them.
Reflect.deleteProperty(globalThis, "WebAssembly");

let tasks = new ModuleTasks({});
let answer = "";

/** JSON has no infinity, no NaN and no negative zero. */
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

/** What the process calls by this name, in scripts of its own. */
Object.defineProperty(globalThis, "rlkit", {
  value: Object.freeze({
    take: (exported: Readonly<Record<string, unknown>>): void => {
      tasks = new ModuleTasks(exported);
    },
    begin: (task: string): void => {
      answer = "";
      void work(JSON.parse(task));
    },
    /** Empty until the task that was begun is done. */
    answer: (): string => answer,
  }),
});
