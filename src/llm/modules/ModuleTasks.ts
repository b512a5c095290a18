/** Runs tasks on a user's module, in its sandbox. */
import type { ModuleTask } from "./moduleProtocol.ts";

type Exports = Readonly<Record<string, unknown>>;
type Callable = (...args: readonly unknown[]) => unknown;

const isObject = (value: unknown): value is Exports => typeof value === "object" && value !== null;
const isCallable = (value: unknown): value is Callable => typeof value === "function";

export class ModuleTasks {
  readonly #exported: Exports;
  readonly #objects: Exports[] = [];

  constructor(exported: Exports) {
    this.#exported = exported;
  }

  /** The result of a task, and the properties of the object it concerns. */
  async run(task: ModuleTask) {
    const value = await this.#valueOf(task);
    return { value, facts: this.#factsOf(task, value) };
  }

  async #valueOf(task: ModuleTask): Promise<unknown> {
    switch (task.kind) {
      case "type":
        this.#functionOf(task.name);
        return null;
      case "call":
        return this.#functionOf(task.name)(...task.args);
      case "make":
        return this.#objects.push(await this.#made(task.name, task.args)) - 1;
      case "method": {
        const object = this.#objects[task.object];
        const method = object?.[task.name];
        return isCallable(method) ? method.apply(object, [...task.args]) : undefined;
      }
    }
  }

  #functionOf(name: string): Callable {
    const found = this.#exported[name];
    if (isCallable(found)) return found;
    throw new TypeError(
      `its export ${name} is ${found === undefined ? "missing" : typeof found}, allowed a function; it exports ${Object.keys(this.#exported).join(", ") || "nothing"}`,
    );
  }

  /** Calls a class with `new` and a function without. An object is returned as it is. */
  async #made(name: string, args: readonly unknown[]): Promise<Exports> {
    const found = this.#exported[name];
    if (isObject(found)) return found;
    const make = this.#functionOf(name);
    const isClass = /^class\b/.test(Function.prototype.toString.call(make));
    const object: unknown = isClass ? Reflect.construct(make, [...args]) : await make(...args);
    if (isObject(object)) return object;
    throw new TypeError(`its export ${name} returned ${typeof object}, allowed an object`);
  }

  #factsOf(task: ModuleTask, value: unknown) {
    const object = task.kind === "method" ? task.object : task.kind === "make" ? value : null;
    const owner = typeof object === "number" ? this.#objects[object] : undefined;
    return owner ? { dataset_size: owner.dataset_size, num_epochs: owner.num_epochs } : null;
  }
}
