/** Entry of a worker thread of Node that runs a user's module. */
import { parentPort } from "node:worker_threads";
import { reasonOf } from "../../../storage/storageError.ts";
import type { FromModule, ModuleTask, ToModule } from "../moduleProtocol.ts";

type Exports = Readonly<Record<string, unknown>>;
type Callable = (...args: readonly unknown[]) => unknown;

let exported: Exports = {};
const objects: Exports[] = [];

const isObject = (value: unknown): value is Exports => typeof value === "object" && value !== null;
const isCallable = (value: unknown): value is Callable => typeof value === "function";

function functionOf(name: string): Callable {
  const found = exported[name];
  if (isCallable(found)) return found;
  throw new TypeError(
    `its export ${name} is ${found === undefined ? "missing" : typeof found}, allowed a function; it exports ${Object.keys(exported).join(", ") || "nothing"}`,
  );
}

/** Classes are called with `new`, functions are not, and objects are there. */
async function made(name: string, args: readonly unknown[]): Promise<Exports> {
  const found = exported[name];
  if (isObject(found)) return found;
  const make = functionOf(name);
  const isClass = /^class\b/.test(Function.prototype.toString.call(make));
  const object: unknown = isClass ? Reflect.construct(make, [...args]) : await make(...args);
  if (isObject(object)) return object;
  throw new TypeError(`its export ${name} gave ${typeof object}, allowed an object`);
}

async function valueOf(task: ModuleTask): Promise<unknown> {
  switch (task.kind) {
    case "load":
      exported = await import(task.url);
      return null;
    case "type":
      functionOf(task.name);
      return null;
    case "call":
      return functionOf(task.name)(...task.args);
    case "make":
      return objects.push(await made(task.name, task.args)) - 1;
    case "method": {
      const method = objects[task.object]?.[task.name];
      return isCallable(method) ? method.apply(objects[task.object], [...task.args]) : undefined;
    }
  }
}

/** Numbers that the object of a task has beside its methods. */
function factsOf(task: ModuleTask, value: unknown) {
  const object = task.kind === "method" ? task.object : task.kind === "make" ? value : null;
  const owner = typeof object === "number" ? objects[object] : undefined;
  return owner ? { dataset_size: owner.dataset_size, num_epochs: owner.num_epochs } : null;
}

const post = (message: object): void => parentPort?.postMessage(message satisfies object);

parentPort?.on("message", ({ id, task }: ToModule) => {
  post({ kind: "begun", id } satisfies FromModule);
  void (async () => {
    try {
      const value = await valueOf(task);
      post({ kind: "done", id, value, facts: factsOf(task, value) });
    } catch (error) {
      post({ kind: "failed", id, message: reasonOf(error) } satisfies FromModule);
    }
  })();
});
