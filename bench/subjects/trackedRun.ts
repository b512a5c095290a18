/** All trackers of a run, with files in a temporary directory and a server in a separate process. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { nodeFileStore } from "../../src/storage/node/index.ts";
import { WandbTracker } from "../../src/tracking/clients.ts";
import {
  BoardTracker,
  CsvTracker,
  metricColumns,
  type RowShape,
  Trackers,
} from "../../src/tracking/index.ts";

const SERVER = fileURLToPath(new URL("./trackerServer.ts", import.meta.url));

/** Runs `work` with an empty directory, which is removed afterwards. */
export async function inTemporaryDirectory<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(path.join(tmpdir(), "rlkit-bench-"));
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/**
 * Runs `work` with opened trackers, and a server that is running or gone.
 * @throws Error if a tracker lost data although the server was running.
 */
export function withTrackers<T>(
  shape: RowShape,
  server: "there" | "gone",
  work: (trackers: Trackers) => Promise<T>,
): Promise<T> {
  return inTemporaryDirectory(async (dir) => {
    const child = fork(SERVER, [server], { execArgv: process.execArgv });
    try {
      const [port] = (await once(child, "message")) as [number];
      const store = nodeFileStore(dir);
      const warnings: string[] = [];
      const warn = (message: string): void => void warnings.push(message);
      const onFailure = (...failed: Parameters<Trackers["fail"]>): void => trackers.fail(...failed);
      const trackers: Trackers = new Trackers(
        [
          new WandbTracker({
            base: `http://127.0.0.1:${port}`,
            api_key: "bench",
            run: { project: "rlkit", displayName: "bench", id: "bench", config: {} },
            ...(server === "gone" && { closing_ms: 0 }),
            onFailure,
            warn,
          }),
          new BoardTracker({ store, algorithm: "PPO", environment: "CartPole-v1", onFailure }),
          new CsvTracker({ store, path: "metrics.csv", columns: metricColumns(shape), onFailure }),
        ],
        { shape, warn },
      );
      await trackers.open();
      const result = await work(trackers);
      await trackers.close({ ok: true });
      if (server === "there" && warnings.length > 0) throw new Error(warnings.join("; "));
      return result;
    } finally {
      child.kill();
    }
  });
}
