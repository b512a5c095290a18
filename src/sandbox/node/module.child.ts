/** The program of a Node child process that runs a user's module in a separate realm. */
import { readFileSync } from "node:fs";
import { type Context, createContext, runInContext, SourceTextModule } from "node:vm";
import type { ModuleRequest } from "../moduleMessages.ts";
import { READY } from "./ready.ts";

/** Longest answer, longest text of a thrown value, and longest message, in characters. */
const MOST_ANSWER = 1024 * 1024;
const MOST_TEXT = 2000;
const MOST_MESSAGE = 4000;
/** Rounds of the event loop allowed for a module's promise to settle. */
const ROUNDS = 1000;

const IMPORTS =
  "it has an import, but sandboxed modules cannot import: include the code that it needs in the module";

const UNSETTLED =
  "its promise does not settle, and a sandboxed module has nothing to wait for (no timers, no network)";

const refuseImport = (): never => {
  // oxlint-disable-next-line typescript/only-throw-error -- an error would give the module an object of Node's realm
  throw IMPORTS;
};

/** Resolves the imports of a module in the realm. */
type Linker = (specifier: string, importer: { readonly identifier: string }) => SourceTextModule;

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A realm with ECMAScript globals only. Its microtasks run inside the scripts that it evaluates. */
class Realm {
  readonly #context: Context = createContext(Object.create(null), {
    codeGeneration: { strings: false, wasm: false },
    microtaskMode: "afterEvaluate",
  });
  readonly #timeout: number;

  private constructor(limit_s: number) {
    this.#timeout = 1000 * limit_s;
  }

  /** @throws what the module throws. */
  static async load(script: string, name: string, limit_s: number): Promise<Realm> {
    const realm = new Realm(limit_s);
    const own: Linker = (specifier, { identifier }) => realm.#own(new URL(specifier, identifier));
    await realm.#evaluate(realm.#own(new URL("./moduleRealm.js", import.meta.url)), own);
    const module = new SourceTextModule(script, {
      context: realm.#context,
      identifier: name,
      importModuleDynamically: refuseImport,
    });
    await realm.#evaluate(module, () => {
      throw new Error(IMPORTS);
    });
    Object.assign(realm.#context, { loaded: module.namespace });
    realm.#run("rlkit.take(loaded)");
    return realm;
  }

  /** The answer to a task, as JSON. */
  async answer(task: string): Promise<string> {
    this.#run(`rlkit.begin(${JSON.stringify(task)})`);
    for (let round = 0; round < ROUNDS; round++) {
      const answer: unknown = this.#run("rlkit.answer()");
      if (typeof answer !== "string") throw new TypeError("its reply is invalid");
      if (answer.length > MOST_ANSWER)
        throw new RangeError(`it answered with ${answer.length} characters, allowed ${MOST_ANSWER}`);
      if (answer !== "") return answer;
      await nextRound();
    }
    throw new Error(UNSETTLED);
  }

  #run(code: string): unknown {
    return runInContext(code, this.#context, { timeout: this.#timeout });
  }

  /** Loads a library module, with its imports, into this realm. */
  #own(address: URL): SourceTextModule {
    return new SourceTextModule(readFileSync(address, "utf8"), {
      context: this.#context,
      identifier: address.href,
    });
  }

  /** @throws what the module throws. */
  async #evaluate(module: SourceTextModule, linker: Linker): Promise<void> {
    await module.link(linker);
    let settled = false;
    const evaluated = module.evaluate({ timeout: this.#timeout }).finally(() => {
      settled = true;
    });
    // Handled below.
    evaluated.catch(() => undefined);
    for (let round = 0; round < ROUNDS && !settled; round++) {
      this.#run("0");
      await nextRound();
    }
    if (!settled) throw new Error(UNSETTLED);
    await evaluated;
  }
}

/** The text of a thrown value. Errors of the realm are not instances of Node's `Error`. */
function messageOf(thrown: unknown): string {
  try {
    const { message } = Object(thrown) as { readonly message?: unknown };
    return (typeof message === "string" ? message : String(thrown)).slice(0, MOST_TEXT);
  } catch {
    return "it threw a value that could not be read";
  }
}

const send = process.send?.bind(process);
if (!send) throw new Error("sandbox: found no parent process, allowed only as a child process");

/** Errors are ignored: if the parent is gone, nobody needs the answer. */
const post = (message: object | string): void => void send(message, () => undefined);

// The training process has ended.
process.on("disconnect", () => process.exit());

let realm: Realm | null = null;
let name = "module";

async function resultOf(request: ModuleRequest): Promise<string | null> {
  if ("task" in request) {
    if (!realm) throw new Error("it was not loaded");
    return realm.answer(request.task);
  }
  name = request.name;
  realm = await Realm.load(request.script, name, request.limit_s);
  return null;
}

process.on("message", (message) => {
  // The parent process sent it, and sends one request at a time.
  const request = message as ModuleRequest;
  resultOf(request).then(
    (result) => post({ id: request.id, ok: true, result }),
    (error: unknown) => {
      const fault = `${name}: ${request.call}: ${messageOf(error)}`.slice(0, MOST_MESSAGE);
      post({ id: request.id, ok: false, error: { call: "module", name: "Error", message: fault } });
    },
  );
});

post(READY);
