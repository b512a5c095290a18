import { nodeFileStore } from "../../src/storage/node/index.ts";
import { BoardTracker, metricColumns } from "../../src/tracking/index.ts";
import type { Row } from "../harness/Row.ts";
import { inTemporaryDirectory } from "../subjects/trackedRun.ts";

const ROWS = 100_000;
/** Rows after which the engine's own long-lived allocations are done. */
const EARLY = 2000;
const SAMPLED = 2000;
const MIB = 2 ** 20;

/** Four members with PPO's metrics. */
const SHAPE = {
  members: 4,
  metrics: ["loss", "policy_loss", "value_loss", "entropy_loss"],
  hyperparameters: ["lr", "batch_size", "learn_step", "ent_coef", "update_epochs"],
};

/** Bytes of the heap and of external buffers, after garbage collection. */
function inUse(): number {
  if (!globalThis.gc) throw new Error("memory is measured with node --expose-gc");
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

export const trackersMemory: Row = {
  name: "trackers-memory",
  title: `memory of ${ROWS.toLocaleString("en")} rows in board, after collection`,
  figures: [
    { name: `most above row ${EARLY.toLocaleString("en")}`, unit: "MiB", target: { at_most: 20 } },
    { name: "rows", unit: "rows/s", digits: 0 },
  ],
  processes: 3,
  measure: () =>
    inTemporaryDirectory(async (dir) => {
      const board = new BoardTracker({
        store: nodeFileStore(dir),
        algorithm: "PPO",
        environment: "CartPole-v1",
      });
      await board.open();
      const keys = metricColumns(SHAPE);
      let [early, most, measuring] = [0, 0, 0];
      const start = performance.now();
      for (let row = 1; row <= ROWS; row++) {
        board.row(Object.fromEntries(keys.map((key, i) => [key, row + i])), row);
        // Lets background work run, as it does between generations.
        await new Promise((resolve) => setImmediate(resolve));
        if (row % SAMPLED !== 0) continue;
        const before = performance.now();
        if (row === EARLY) early = inUse();
        else most = Math.max(most, inUse() - early);
        measuring += performance.now() - before;
      }
      await board.close();
      const seconds = (performance.now() - start - measuring) / 1000;
      return [most / MIB, ROWS / seconds];
    }),
};
