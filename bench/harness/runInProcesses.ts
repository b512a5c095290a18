import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));

/** What a child sends back. */
export type ChildMessage = { readonly values: readonly number[] } | { readonly error: string };

/** Measures a row once in a fresh process. @throws Error with the child's own words. */
export function measureInFreshProcess(row: string, ordinal: number): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    // The garbage collector is called by rows that measure memory.
    const child = fork(CHILD, [row, String(ordinal)], {
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
