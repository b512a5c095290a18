/**
 * MuJoCo's package as a page can use it: its script without functions made of text, which the page's policy forbids, and
 * its WebAssembly without the names of functions, more than half of the file. Both work to the same bits.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./environment.mjs";

const PACKAGE = path.join(root, "node_modules/@mujoco/mujoco");
export const MUJOCO_SCRIPT = path.join(PACKAGE, "mujoco.js");

/** What the script makes of text: the functions that call into the module, and out of it. */
const closures = [
  [
    `let [args, invokerFnBody] = createJsInvoker(argTypes, isClassMethodFunc, returns, isAsync);
      var invokerFn = new Function(...args, invokerFnBody)(...closureArgs);`,
    `var first = isClassMethodFunc ? 1 : 2;
      var invokerFn = function () {
        checkArgCount(arguments.length, minArgs, expectedArgCount, humanName, throwBindingError);
        var destructors = needsDestructorStack ? [] : null;
        var wired = [cppTargetFunc];
        if (isClassMethodFunc) wired.push(argTypes[1].toWireType(destructors, this));
        for (var i = 0; i < expectedArgCount; i++)
          wired.push(argTypes[i + 2].toWireType(destructors, arguments[i]));
        var rv = cppInvokerFunc(...wired);
        if (needsDestructorStack) runDestructors(destructors);
        else
          for (var i = first; i < argTypes.length; i++)
            if (argTypes[i].destructorFunction !== null) argTypes[i].destructorFunction(wired[i - first + 1]);
        if (returns) return argTypes[0].fromWireType(rv);
      };`,
  ],
  [
    "var invokerFunction = new Function(...params, functionBody)(...args);",
    `var invokerFunction = function (obj, func, destructorsRef, args) {
        var given = kind === 0 ? [obj] : [];
        var offset = 0;
        for (var i = 0; i < argCount; ++i) {
          given.push(types[i].readValueFromPointer(args + offset));
          offset += types[i].argPackAdvance;
        }
        var rv = kind === 1 ? new func(...given) : func.call(...given);
        if (!retType.isVoid) return emval_returnValue(retType, destructorsRef, rv);
      };`,
  ],
  // The page gives the bytes: bundlers would copy the file that the script names, and modules of Node.
  ["new URL('mujoco.wasm', import.meta.url).href", "''"],
  ["typeof process == 'object' && process.versions?.node && process.type != 'renderer'", "false"],
  ["const { createRequire } = await import('module');", "var createRequire = null;"],
];

/**
 * The package's script for pages.
 *
 * @param {string} code
 * @throws Error when the script is another one than this was written for
 */
export function scriptForPages(code) {
  let patched = code;
  for (const [from = "", to = ""] of closures) {
    if (!patched.includes(from))
      throw new Error(`${MUJOCO_SCRIPT} is another script than mujocoPackage.mjs knows; it lacks: ${from}`);
    patched = patched.replaceAll(from, () => to);
  }
  if (patched.includes("new Function(") || patched.includes("eval("))
    throw new Error(
      `${MUJOCO_SCRIPT} makes functions of text in a place that mujocoPackage.mjs does not know.`,
    );
  return patched;
}

/** The WebAssembly module without its custom sections. */
export function strippedWasm() {
  const bytes = readFileSync(path.join(PACKAGE, "mujoco.wasm"));
  const kept = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length; ) {
    const start = at;
    const id = bytes[at++];
    let size = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      size += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    at += size;
    if (id !== 0) kept.push(bytes.subarray(start, at));
  }
  return Buffer.concat(kept);
}
