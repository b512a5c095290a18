import { describe, expect, it, onTestFinished } from "vitest";
import { type Connection, connectCoordinator } from "../../../../src/ui/client/Connection.ts";
import type { RunEvent } from "../../../../src/workers/protocol.ts";

function connect(): Connection {
  const connection = connectCoordinator(
    () =>
      new Worker(new URL("../../../ui/support/coordinator.worker.ts", import.meta.url), { type: "module" }),
  );
  onTestFinished(() => connection.close());
  return connection;
}

describe("the coordinator's client", () => {
  it("hears events", async () => {
    const connection = connect();
    const heard: RunEvent[] = [];
    const forget = connection.onEvent((event) => heard.push(event));
    await connection.coordinator.pause("a");
    await expect
      .poll(() => heard)
      .toEqual([{ run: "a", kind: "state", state: "paused", failure: null, end: null }]);
    forget();
    await connection.coordinator.pause("b");
    await connection.coordinator.setVisible(true);
    expect(heard).toHaveLength(1);
  });

  it("keeps code and path of an error, and nothing that was not meant to cross", async () => {
    const failure = connect().coordinator.start({});
    await expect(failure).rejects.toMatchObject({
      message: "unknown key",
      code: "unknown_key",
      path: "algorithm.lrr",
    });
    await expect(failure).rejects.not.toHaveProperty("secret");
  });

  it("lets no call wait for ever when the worker crashes", async () => {
    const connection = connect();
    const reasons: string[] = [];
    connection.onLost((reason) => reasons.push(reason.message));
    const waiting = connection.coordinator.resume("a");
    await expect(connection.coordinator.stop("a")).rejects.toThrow("out of memory");
    await expect(waiting).rejects.toThrow("The training thread stopped");
    await expect(connection.coordinator.listRuns()).rejects.toThrow("The training thread stopped");
    expect(reasons).toEqual([expect.stringContaining("out of memory")]);
    connection.onLost((reason) => reasons.push(reason.message));
    expect(reasons).toHaveLength(2);
  });

  it("says that a worker that cannot be loaded is lost", async () => {
    const connection = connectCoordinator(() => new Worker("/no-such-worker.js", { type: "module" }));
    onTestFinished(() => connection.close());
    await expect(connection.coordinator.listRuns()).rejects.toThrow("it could not be loaded");
  });

  it("rejects what waits when it is closed", async () => {
    const connection = connect();
    const waiting = connection.coordinator.resume("a");
    connection.close();
    await expect(waiting).rejects.toThrow("closed");
  });
});
