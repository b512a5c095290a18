/** What code could do that had left its realm: it takes the place of the program of a sandbox's process. */
import { execSync } from "node:child_process";
import { readFileSync, readSync, writeFileSync, writeSync } from "node:fs";
import { connect } from "node:net";
import { Worker } from "node:worker_threads";

/** @param {object} message */
const write = (message) => {
  const text = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(8);
  head.writeUInt32LE(text.length, 0);
  writeSync(1, Buffer.concat([head, text]));
};

const read = () => {
  const head = Buffer.alloc(8);
  readSync(0, head, 0, 8, null);
  const text = Buffer.alloc(head.readUInt32LE(0));
  readSync(0, text, 0, text.length, null);
  return JSON.parse(text.toString());
};

/** @param {() => unknown} act */
const told = async (act) => {
  try {
    return `did it: ${await act()}`;
  } catch (error) {
    return error instanceof Error ? ("code" in error && error.code) || error.message : error;
  }
};

write({});
const { id, task } = read();
const [{ pid, port }] = task.args;
write({
  id,
  ok: true,
  result: {
    facts: null,
    value: {
      file: await told(() => readFileSync("/etc/hostname", "utf8")),
      write: await told(() => writeFileSync("/tmp/rlkit-was-here", "")),
      process: await told(() => execSync("true")),
      thread: await told(() => new Worker("0", { eval: true })),
      binding: await told(() => Reflect.get(process, "binding")("spawn_sync")),
      strings: await told(() => Reflect.construct(Function, ["return 1"])()),
      variables: Object.keys(process.env).filter((name) => !["PWD", "SHLVL", "_", "OLDPWD"].includes(name)),
      signal: await told(() => process.kill(pid, "SIGUSR1")),
      network: await told(
        () =>
          new Promise((resolve, reject) => {
            connect(port, "127.0.0.1")
              .once("connect", () => resolve("connected"))
              .once("error", reject);
          }),
      ),
    },
  },
});
