/** Entry point of the process that measures one row once. */
import { findRow } from "../rows/index.ts";
import type { ChildMessage } from "./runInProcesses.ts";

const send = (message: ChildMessage) =>
  process.send?.(message, undefined, {}, () => {
    process.exit(0);
  });

try {
  send({ values: await findRow(process.argv[2] ?? "").measure(Number(process.argv[3])) });
} catch (error) {
  send({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
