/**
 * The program of a Node child process that runs a user's module in a realm of its own. Requests arrive on the standard
 * input and replies leave on the standard output, one after another.
 *
 * This realm takes from the other one only text, which it checks to be text, and buffers, which its own functions find to
 * be buffers. It gives only text and numbers. It neither calls what a module made nor looks at what a module threw.
 */
import { readFileSync, readSync, writeSync } from "node:fs";
import { types } from "node:util";
import { constants, createContext, type Module, Script, SourceTextModule } from "node:vm";
import type { SandboxFault, SandboxRequest } from "../messages.ts";
import { frameOf, HEAD_BYTES, lengthsOf, MOST_BYTES, MOST_TEXT } from "./frames.ts";
import type * as realmModule from "./realm.ts";

/** Longest result of a function of a module, in characters. */
const MOST_RESULT = 1024 * 1024;
/** Longest output of a module between two replies, in characters. */
const MOST_PRINTED = 64 * 1024;

const IMPORTS =
  "it has an import, but sandboxed modules cannot import: include the code that it needs in the module";

const context = createContext(constants.DONT_CONTEXTIFY, {
  codeGeneration: { strings: false, wasm: false },
  microtaskMode: "afterEvaluate",
});
/** Its evaluation runs the realm's microtasks. */
const nothing = new Script("0");

/** A limit in seconds matters only when the parent is lost amid a call: until then, it ends this process. */
function runTasks(limit_s?: number): void {
  const timeout = limit_s === undefined ? {} : { timeout: Math.ceil(1000 * limit_s) };
  nothing.runInContext(context, { displayErrors: false, ...timeout });
}

/** For messages. */
let moduleName = "module";
const library = new Map<string, SourceTextModule>();

/** A file of rlkit in the realm. */
function own(address: URL): SourceTextModule {
  const module =
    library.get(address.href) ??
    new SourceTextModule(readFileSync(address, "utf8"), { context, identifier: address.href });
  library.set(address.href, module);
  return module;
}

type Linker = (specifier: string, importer: Module) => Module;

async function evaluate(module: SourceTextModule, linker: Linker, limit_s = 60): Promise<void> {
  await module.link(linker);
  const start = performance.now();
  // The module runs at once. What it throws stays in `module.error`.
  module.evaluate({ timeout: Math.ceil(1000 * limit_s) }).catch(() => undefined);
  if (performance.now() - start >= 1000 * limit_s) process.exit();
  runTasks(limit_s);
}

const entry = own(new URL("./realm.js", import.meta.url));
await evaluate(entry, (specifier, { identifier }) => own(new URL(specifier, identifier)));
// Its own exports, which no other module can replace.
const realm = entry.namespace as typeof realmModule;

/**
 * Loads a user's module through a module that imports it, so that this realm does not handle it.
 *
 * The promise of a dynamic import would be an object of Node's own realm. Keywords must not contain escapes, whereas
 * names and texts may. So the module is parsed with an escape in every "import".
 */
async function load(script: string, name: string, limit_s: number): Promise<void> {
  try {
    const user = new SourceTextModule(script.replaceAll("import", String.raw`impor\u0074`), {
      context,
      identifier: name,
    });
    const taking = 'import * as user from "user"; import { take } from "rlkit"; take(user);';
    const taker = new SourceTextModule(taking, { context, identifier: "rlkit" });
    const linker: Linker = (specifier, importer) => {
      if (importer !== taker) throw new Error(IMPORTS);
      return specifier === "user" ? user : entry;
    };
    await evaluate(taker, linker, limit_s);
    if (taker.status === "errored") realm.threw(taker.error);
  } catch (error) {
    // The parser has thrown it, or this function: nothing of the module has run.
    const { name: kind, message } = error as Error;
    if (message === "Keyword must not contain escaped characters") realm.refuse("Error", IMPORTS);
    else realm.refuse(kind, message);
  }
}

/** Reads all of a buffer. False when the parent has closed its end or is lost. */
function isRead(buffer: Uint8Array): boolean {
  for (let at = 0; at < buffer.length; ) {
    const size = readSync(0, buffer, at, buffer.length - at, null);
    if (size === 0) return false;
    at += size;
  }
  return true;
}

function write(descriptor: number, data: Uint8Array): void {
  for (let at = 0; at < data.length; ) at += writeSync(descriptor, data, at);
}

/** Prints what the module printed. */
function print(text: unknown): void {
  if (typeof text === "string" && text !== "") write(2, Buffer.from(text.slice(0, MOST_PRINTED)));
}

/** The client names the module in errors of its functions. */
const fault = ({ id, call }: SandboxRequest, what: string): Uint8Array => {
  const message = call === "task" ? what : `${moduleName}: ${call}: ${what}`;
  const error: SandboxFault = { call, name: "Error", message };
  return frameOf({ text: JSON.stringify({ id, ok: false, error }), bytes: new Uint8Array(0) });
};

/** The frame of the realm's reply. Everything in it may be forged, which the parent expects. */
function replyTo(request: SandboxRequest): Uint8Array {
  const text: unknown = realm.answer();
  if (typeof text !== "string") return fault(request, "its reply is invalid");
  if (text === "") return fault(request, realm.UNSETTLED);
  const most = request.call === "task" ? MOST_RESULT : MOST_TEXT / 4;
  if (text.length > most)
    return fault(request, `it answered with ${text.length} characters, allowed ${most}`);
  const buffer: unknown = realm.outbox();
  if (!types.isArrayBuffer(buffer)) return fault(request, "its reply is invalid");
  const bytes = new Uint8Array(buffer);
  if (bytes.length > MOST_BYTES)
    return fault(request, `it answered with ${bytes.length} bytes, allowed ${MOST_BYTES}; use fewer lanes`);
  return frameOf({ text, bytes });
}

/** Serves requests until the parent closes its end. */
async function serve(): Promise<void> {
  write(1, frameOf({ text: "{}", bytes: new Uint8Array(0) }));
  const head = Buffer.alloc(HEAD_BYTES);
  while (isRead(head)) {
    const lengths = lengthsOf(head);
    const body = Buffer.alloc(lengths.text);
    const bytes = new Uint8Array(lengths.bytes);
    if (!isRead(body) || !isRead(bytes)) return;
    const text = body.toString();
    // The parent sent it.
    const request = JSON.parse(text) as SandboxRequest;
    if ("script" in request) {
      moduleName = request.name;
      await load(request.script, request.name, request.limit_s);
    }
    new Uint8Array(realm.inbox(bytes.length)).set(bytes);
    realm.ask(text);
    // A step is too short for a limit, which costs the start of a thread.
    runTasks(request.call === "step" ? undefined : request.limit_s);
    print(realm.printed());
    write(1, replyTo(request));
  }
}

try {
  await serve();
} catch {
  // The parent is lost, or the realm is in no state to go on. What was thrown may be the realm's.
  process.exitCode = 1;
}
process.exit();
