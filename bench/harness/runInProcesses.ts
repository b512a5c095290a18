import { fork } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));
/** The same from the folder of a checkout. */
const CHILD_PATH = "bench/harness/child.ts";

/** What a child sends back. */
export type ChildMessage = { readonly values: readonly number[] } | { readonly error: string };

/**
 * Measures a row once in a fresh process.
 *
 * @param folder Another checkout of rlkit, whose code is measured; this one unless given.
 * @throws Error with the child's own words.
 */
export function measureInFreshProcess(
  row: string,
  ordinal: number,
  folder?: string,
): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    const child = fork(folder === undefined ? CHILD : join(folder, CHILD_PATH), [row, String(ordinal)], {
      ...(folder !== undefined && { cwd: folder }),
      // The garbage collector is called by rows that measure memory.
      execArgv: [...process.execArgv, "--expose-gc"],
      serialization: "advanced",
    });
    child.once("message", (message: ChildMessage) => {
      if ("values" in message) resolve(message.values);
      else reject(new Error(`${row}: ${message.error}`));
    });
    child.once("error", reject);
    child.once("exit", (code) =>
      reject(new Error(`${row}: the process ended with ${code} before it answered`)),
    );
  });
}
