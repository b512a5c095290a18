/** Which coordinator answers for a run. */
import { describe, expect, it } from "vitest";
import { type Connection, type RemoteRuns, withRemoteRuns } from "../../../src/ui/client/Connection.ts";
import { parseRoute, runRoute } from "../../../src/ui/routes/route.ts";
import { linkOf } from "../../../src/ui/shell/railLinks.ts";
import { isRemoteRun, remoteRunId } from "../../../src/workers/pages.ts";
import { RUN_CALLS, type RunCalls, type RunEvent } from "../../../src/workers/protocol.ts";

const REMOTE = remoteRunId("e1");

/** Calls that tell who was asked, what, and of what. */
const calls = (who: string, asked: string[]) =>
  new Proxy({} as RunCalls & Connection["coordinator"], {
    ownKeys: () => [...Object.keys(RUN_CALLS), "listRuns"],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    get: (_, name) => async (id?: string) => {
      asked.push(`${who} ${String(name)} ${id ?? ""}`.trim());
    },
  });

function connected() {
  const asked: string[] = [];
  const [heard, here, there] = [
    [] as RunEvent[],
    new Set<(e: RunEvent) => void>(),
    new Set<(e: RunEvent) => void>(),
  ];
  const hearing = (listeners: Set<(event: RunEvent) => void>) => (listener: (event: RunEvent) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const local: Connection = {
    coordinator: calls("here", asked),
    onEvent: hearing(here),
    onLost: () => () => undefined,
    close: () => undefined,
  };
  const remote: RemoteRuns = {
    calls: () => calls("there", asked),
    onEvent: hearing(there),
    hold: (run) => {
      asked.push(`hold ${run}`);
      return () => asked.push(`release ${run}`);
    },
  };
  const connection = withRemoteRuns(local, remote);
  const end = connection.onEvent((event) => heard.push(event));
  return { connection, asked, heard, here, there, end };
}

describe("a page with runs of two coordinators", () => {
  it("asks the platform about its runs, and this browser's coordinator about all else", async () => {
    const { connection, asked } = connected();
    await connection.coordinator.snapshot(REMOTE);
    await connection.coordinator.snapshot("a1");
    await connection.coordinator.pause(REMOTE);
    await connection.coordinator.listRuns();
    expect(asked).toEqual([
      `there snapshot ${REMOTE}`,
      "here snapshot a1",
      `there pause ${REMOTE}`,
      "here listRuns",
    ]);
  });

  it("hears the events of both", () => {
    const { heard, here, there, end } = connected();
    const event: RunEvent = { run: REMOTE, kind: "note", text: "" };
    for (const listener of [...here, ...there]) listener(event);
    expect(heard).toHaveLength(2);
    end();
    expect([here.size, there.size]).toEqual([0, 0]);
  });

  it("holds a platform's run while it is shown", () => {
    const { connection, asked } = connected();
    connection.hold?.("a1")();
    const release = connection.hold?.(REMOTE);
    expect(asked).toEqual([`hold ${REMOTE}`]);
    release?.();
    expect(asked).toEqual([`hold ${REMOTE}`, `release ${REMOTE}`]);
  });

  it("knows a platform's run by its id, which addresses carry", () => {
    expect([isRemoteRun(REMOTE), isRemoteRun("a1")]).toEqual([true, false]);
    expect(parseRoute("#/runs/remote%3Ae1")).toMatchObject({ page: "run", id: REMOTE });
    expect(linkOf(runRoute(REMOTE))).toBe("Remote");
    expect(linkOf(runRoute("a1"))).toBe("Runs");
  });
});
