/**
 * Runs beside a user's module in its realm. Only text, numbers and bytes cross its border, so no object of Node's own
 * realm, with everything reachable from it, becomes accessible to the module.
 */

import { packed, unpacked } from "../../rl/faces.ts";
import type { SandboxRequest } from "../messages.ts";
import { serveSandbox } from "../serveSandbox.ts";

/**
 * The globals that stay. WebAssembly's memories are outside the heap, so its limit does not count them; the engine calls
 * Node for WebAssembly, FinalizationRegistry and its own console; shared memory can block a thread.
 */
const NAMES =
  "Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error AggregateError SuppressedError EvalError RangeError ReferenceError SyntaxError TypeError URIError globalThis JSON Math Intl Temporal ArrayBuffer Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array BigUint64Array BigInt64Array Uint8ClampedArray Float16Array Float32Array Float64Array DataView Map BigInt Set Iterator WeakMap WeakSet Proxy Reflect DisposableStack AsyncDisposableStack decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite isNaN".split(
    " ",
  );
for (const name of Reflect.ownKeys(globalThis))
  if (typeof name !== "string" || !NAMES.includes(name)) Reflect.deleteProperty(globalThis, name);

// The engine lets Node format the trace of an error, in Node's own realm. Without a trace it does not ask.
Object.defineProperty(Error, "stackTraceLimit", { value: undefined, writable: false, configurable: false });
// Node awaits this realm's promises by their `then`, which no module may replace.
Object.freeze(Promise.prototype);
Object.freeze(Promise);

/** Longest output between two replies, in characters. */
const MOST_OUTPUT = 64 * 1024;
let output = "";

function shown(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  try {
    // Functions print their text.
    return typeof value === "object" ? JSON.stringify(value) : String(value as string);
  } catch {
    return "an object";
  }
}

const print = (...values: readonly unknown[]): void => {
  const line = `${values.map(shown).join(" ")}\n`;
  if (output.length + line.length <= MOST_OUTPUT) output += line;
};
Object.defineProperty(globalThis, "console", {
  value: Object.fromEntries(
    ["log", "info", "warn", "error", "debug", "trace", "dir", "table"].map((name) => [name, print]),
  ),
  writable: true,
  configurable: true,
});

type Exports = Readonly<Record<string, unknown>>;

// Bound before a module can replace them. Node calls what follows outside a time limit, so it runs nothing of the module.
const Bytes = ArrayBuffer;
const settled = Promise.resolve();

/** Why a call has no reply when nothing remains to be done. */
export const UNSETTLED =
  "its promise does not settle, and a sandboxed module has nothing to wait for (no timers, no network)";

/** Until a module is taken, its own promises have not settled. */
let load = (): Promise<Exports> => Promise.reject(new Error(UNSETTLED));
let hear: (message: unknown) => void = () => undefined;
let [question, id] = ["", -1];
let given = new Bytes(0);
let [reply, replyBytes] = ["", new Bytes(0)];

serveSandbox(
  {
    listen: (onMessage) => {
      hear = onMessage;
    },
    post: (message) => {
      // A promise of an earlier call may settle late.
      if ((message as SandboxRequest).id !== id) return;
      const { text, bytes } = packed(message as object);
      reply = text;
      // `packed` has made it.
      replyBytes = bytes.buffer as ArrayBuffer;
    },
  },
  () => load(),
);

function serve(): void {
  const request = unpacked({ text: question, bytes: new Uint8Array(given) });
  id = (request as SandboxRequest).id;
  hear(request);
}

/** Imports the module, by a module of the same realm. */
export const take = (exported: Exports): void => {
  load = () => Promise.resolve(exported);
};

/** What the module threw as it was loaded. */
export const threw = (value: unknown): void => {
  load = () => Promise.reject(value);
};

/** Why the module was not loaded. */
export const refuse = (name: string, message: string): void =>
  threw(Object.assign(new Error(message), { name }));

/** A buffer for the bytes of the next request. */
export const inbox = (size: number): ArrayBuffer => {
  given = new Bytes(size);
  return given;
};

/** Begins a request in the next microtask. */
export const ask = (text: string): void => {
  question = text;
  reply = "";
  void settled.then(serve);
};

/** The text of the reply; empty until there is one. */
export const answer = (): string => reply;

/** The bytes of the reply. */
export const outbox = (): ArrayBuffer => replyBytes;

/** What the module printed since the last call. */
export const printed = (): string => {
  const text = output;
  output = "";
  return text;
};
