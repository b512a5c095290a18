/** What a module may try to leave its realm, each with what it must be told. */

/** Statements of a function, and what it answers or throws. */
export type Attack = readonly [name: string, body: string, told: RegExp];

/**
 * Names what a value is: an object whose chain of prototypes ends outside of the module's realm is FOREIGN, and its
 * constructors lead to everything that Node has.
 */
export const HELPERS = `
const home = Object.prototype;
const kind = (value) => {
  if ((typeof value !== "object" || value === null) && typeof value !== "function") return String(value);
  let end = value;
  for (let up; (up = Object.getPrototypeOf(end)) !== null; ) end = up;
  return end === home ? "own" : Object.getPrototypeOf(value) === null ? "bare" : "FOREIGN";
};
const trap = (log, target) => new Proxy(target, new Proxy({}, {
  get: (_, name) => (...given) => { log.push(...given.map(kind)); return Reflect[name](...given); },
}));
const log = [];
`;

const NO_STRINGS = /Code generation from strings disallowed/;
const own = /^(own ?)+$/;

/** Those that leave the realm as it was. */
export const ATTACKS: readonly Attack[] = [
  ["a signal to the parent", 'process.kill(process.ppid, "SIGUSR1")', /process is not defined/],
  ["the end of the parent", 'process.kill(process.ppid, "SIGKILL")', /process is not defined/],
  ["process.binding", 'process.binding("spawn_sync")', /process is not defined/],
  ["a built-in module", 'process.getBuiltinModule("node:fs")', /process is not defined/],
  ["require", 'require("node:child_process")', /require is not defined/],
  ["a network request", 'fetch("http://127.0.0.1:9229/json")', /fetch is not defined/],
  ["a socket", 'new WebSocket("ws://127.0.0.1:9229")', /WebSocket is not defined/],
  ["a timer", "setTimeout(() => 0)", /setTimeout is not defined/],
  ["a task", "queueMicrotask(() => 0)", /queueMicrotask is not defined/],
  ["another realm", "new ShadowRealm()", /ShadowRealm is not defined/],
  ["memory beside the heap", "new WebAssembly.Memory({ initial: 1 })", /WebAssembly is not defined/],
  ["shared memory", "new SharedArrayBuffer(8)", /SharedArrayBuffer is not defined/],
  ["a wait", "Atomics.wait(new Int32Array(2), 0, 0)", /Atomics is not defined/],
  ["a callback of the collector", "new FinalizationRegistry(() => 0)", /FinalizationRegistry is not defined/],
  ["a weak reference", "new WeakRef({})", /WeakRef is not defined/],
  ["eval", 'return eval("1")', NO_STRINGS],
  ["eval in the global scope", 'return (0, eval)("this")', NO_STRINGS],
  ["a constructor of functions", 'return (() => 0).constructor("return process")()', NO_STRINGS],
  ["one of async functions", 'return (async () => 0).constructor("return process")()', NO_STRINGS],
  ["one of generators", 'return (function* () {}).constructor("return process")()', NO_STRINGS],
  ["the constructor of this", 'return globalThis.constructor.constructor("return process")()', NO_STRINGS],
  ["this", "return String(this)", /^undefined$/],
  [
    "everything that hangs on globalThis",
    `const found = [];
     const seen = new Set();
     const go = (value, path) => {
       if ((typeof value !== "object" || value === null) && typeof value !== "function") return;
       if (seen.has(value)) return;
       seen.add(value);
       if (kind(value) === "FOREIGN") found.push(path);
       go(Object.getPrototypeOf(value), path + ".__proto__");
       for (const key of Reflect.ownKeys(value)) {
         const field = Reflect.getOwnPropertyDescriptor(value, key);
         if (kind(field) !== "own") found.push(path);
         for (const part of [field.value, field.get, field.set]) go(part, path + "." + String(key));
       }
     };
     go(globalThis, "globalThis");
     return found.join() + " of " + (seen.size > 500)`,
    /^ of true$/,
  ],
  [
    "its arguments",
    "return [given, ...given, given[0]?.list].map(kind).join(' ')",
    /^own( own| \d+| undefined)+$/,
  ],
  [
    "arguments.callee",
    "return (function () { return arguments.callee })()",
    /may not be accessed on strict mode/,
  ],
  ["the caller", "return (function self() { return self.caller })()", /may not be accessed on strict mode/],
  [
    "an error of the engine",
    "try { null.x } catch (error) { return kind(error) + ' ' + kind(error.constructor) }",
    own,
  ],
  ["an error of eval", "try { eval('1') } catch (error) { return kind(error) }", own],
  ["traces", "Error.stackTraceLimit = 10", /Cannot assign to read only property 'stackTraceLimit'/],
  [
    "traces of its own class",
    `class Mine extends Error { static stackTraceLimit = 10; static prepareStackTrace = (_, sites) => sites; }
     const other = {};
     Error.captureStackTrace(other);
     return kind(new Mine().stack) + " " + kind(other.stack)`,
    /^undefined undefined$/,
  ],
  [
    "Error.prepareStackTrace and its call sites",
    `Error.prepareStackTrace = (_, sites) => { log.push("called"); return sites; };
     const { stack } = new Error("x");
     delete Error.prepareStackTrace;
     return kind(stack) + log.includes("called")`,
    /^undefinedfalse$/,
  ],
  [
    "an error of Node's where the stack ends",
    `const found = new Set();
     let rejects = 0;
     const tries = [
       () => new Error("x").stack, () => Error.captureStackTrace({}),
       () => rejects++ < 3 && Promise.reject(1), () => eval("1"),
       () => new Intl.NumberFormat("de").format(3), () => new Date().toLocaleString(), () => console.log("x"),
       () => JSON.stringify({ toJSON: () => 1 }), () => [2, 1].sort(() => 1), () => "x".replace(/x/, () => "y"),
       () => new Proxy({}, { get: () => 1 }).x, () => structuredClone(1), () => Reflect.construct(Date, []),
     ];
     for (const attempt of tries) {
       const deep = () => {
         try { deep(); } catch (error) {
           found.add(kind(error));
           try { attempt(); } catch (other) { found.add(kind(other)); }
           throw error;
         }
       };
       try { deep(); } catch (error) { found.add(kind(error)); }
     }
     return [...found].join(" ")`,
    own,
  ],
  [
    "objects of the language",
    "return [[].values(), /a/.exec('a'), 'a'.matchAll(/a/g), new Intl.DateTimeFormat().resolvedOptions(), ((s) => s)`a`].map(kind).join(' ')",
    own,
  ],
  ["the console", "return [console, console.log, console.log.constructor].map(kind).join(' ')", own],
  ["a replaced Promise.prototype.then", "Promise.prototype.then = () => 0", /read only property 'then'/],
  [
    "a replaced species of promises",
    "Object.defineProperty(Promise, Symbol.species, { value: 0 })",
    /Cannot redefine/,
  ],
];

/** Those of functions that answer: what the program that reads the answer gives away. */
export const ANSWERS: readonly Attack[] = [
  ["a thenable", "return { then: (...given) => given[0](given.map(kind).join(' ')) }", own],
  ["a getter", "return { get field() { return kind(this) } }", /own/],
  ["a proxy", "return trap(log, { a: [1] })", /a.*1/],
  ["what looks at the proxy", "return log.join(' ')", /^(own ?|a ?|undefined ?|\w* ?)+$/],
  ["a thrown proxy", "throw trap(log, new Error('seen'))", /seen|could not be read|an object/],
  ["what looks at the thrown proxy", "return String(log.includes('FOREIGN'))", /^false$/],
  [
    "a rejection that inspects itself",
    `Promise.reject({ [Symbol.for("nodejs.util.inspect.custom")]: (...given) => { globalThis.leaked = given; } });
     await null;
     return kind(globalThis.leaked)`,
    /^undefined$/,
  ],
  ["what it leaked", "return kind(globalThis.leaked)", /^undefined$/],
];
