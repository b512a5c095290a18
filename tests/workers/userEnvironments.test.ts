/** Workbench runs in custom environments. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { robotSource } from "../../src/sandbox/modules.ts";
import { type OpenSandbox, provideSandboxes } from "../../src/sandbox/sandboxes.ts";
import { sha256Hex } from "../../src/storage/index.ts";
import { STARTER } from "../../src/ui/ownEnvironment/starter.ts";
import { inProcess } from "../sandbox/inside/support/inProcess.ts";
import { tinyDqn, tinyPpo } from "./support/manifests.ts";
import { TestWorkbench } from "./support/workbench.ts";

/** Number of opened sandboxes. */
let opened = 0;
const counted: OpenSandbox = () => {
  opened += 1;
  return inProcess();
};

/** A different source for each test, as this thread caches opened modules. */
const version = (comment: string): string => `// ${comment}\n${STARTER}`;

const manifest = (name: string) => ({
  ...tinyDqn({ max_steps: 256 }),
  environment: { env_type: "gym", name, num_envs: 4 },
});

describe("a run in an environment of one's own", () => {
  beforeAll(() => provideSandboxes(counted));
  afterAll(() => provideSandboxes(null));

  it("keeps the code that it was started with, whatever becomes of it later, and trains on with it", async () => {
    const bench = await new TestWorkbench().open();
    const { coordinator, files } = bench;
    const source = version("first");
    const { sha256 } = await coordinator.saveEnvironment("cart", source);
    const id = await bench.trainToEnd(manifest("user/cart"), 3);
    const { summary, manifest: shown } = await coordinator.snapshot(id);
    expect(summary).toMatchObject({ state: "finished", environment: "user/cart", generation: 2 });
    expect(shown).toMatchObject({ environment: { name: "user/cart", version: sha256 } });

    await coordinator.saveEnvironment("cart", "export default class {}\n");
    await coordinator.deleteEnvironment("cart");
    // As another page sees it.
    const later = await new TestWorkbench({ files }).open();
    expect(await later.coordinator.runEnvironment(id)).toEqual({
      name: "cart",
      id: "user/cart",
      sha256,
      source,
    });
    await later.coordinator.extend(id, 384);
    expect(await later.nextState(id, "finished", "failed")).toBe("finished");
    const fork = await later.coordinator.fork(id, { kind: "elite" }, "weights");
    expect(await later.firstState(fork, "finished", "failed")).toBe("finished");
    expect((await later.coordinator.runEnvironment(fork))?.sha256).toBe(sha256);
    bench.close();
    later.close();
  });

  it("is there whole in another browser, where it is shown without running its code", async () => {
    const bench = await new TestWorkbench().open();
    await bench.coordinator.saveEnvironment("cart", version("exported"));
    const id = await bench.trainToEnd(manifest("user/cart"), 4);
    const { bytes } = await bench.coordinator.exportRun(id);
    const other = await new TestWorkbench().open();
    const before = opened;
    const imported = await other.coordinator.importRun(bytes);
    expect(await other.outcome(imported)).toEqual(await bench.outcome(id));
    expect((await other.coordinator.runEnvironment(imported))?.source).toBe(version("exported"));
    expect(opened).toBe(before);
    await other.coordinator.extend(imported, 384);
    expect(await other.nextState(imported, "finished", "failed")).toBe("finished");
    expect(opened).toBeGreaterThan(before);
    bench.close();
    other.close();
  });

  it("is there whole in another browser if it is a robot, and opens no sandbox", async () => {
    const xml = `<mujoco><worldbody><body name="cart"><joint name="x" type="slide" axis="1 0 0"/><geom size="0.1"/></body>
</worldbody><actuator><motor joint="x" ctrlrange="-1 1"/></actuator></mujoco>`;
    const task =
      "robot: cart.xml\nmax_episode_steps: 20\nobserve: [{ part: qpos }]\nreward: [{ term: value, part: qpos, weight: 1 }]\n";
    const source = robotSource({ robot: "cart.yaml", task, files: { "cart.xml": xml } });
    const bench = await new TestWorkbench().open();
    const { sha256 } = await bench.coordinator.saveEnvironment("robot", source);
    const before = opened;
    const id = await bench.trainToEnd({ ...tinyPpo(), environment: { name: "user/robot", num_envs: 4 } }, 4);
    const { manifest: shown } = await bench.coordinator.snapshot(id);
    expect(shown).toMatchObject({ environment: { name: "user/robot", version: sha256 } });
    const { bytes } = await bench.coordinator.exportRun(id);
    const other = await new TestWorkbench().open();
    const imported = await other.coordinator.importRun(bytes);
    expect(await other.outcome(imported)).toEqual(await bench.outcome(id));
    expect((await other.coordinator.runEnvironment(imported))?.source).toBe(source);
    await other.coordinator.extend(imported, 1024);
    expect(await other.nextState(imported, "finished", "failed")).toBe("finished");
    expect(opened).toBe(before);
    bench.close();
    other.close();
  });

  it("says what is wrong with the environment that a manifest names, at its place", async () => {
    const { coordinator } = new TestWorkbench();
    await coordinator.saveEnvironment("broken", "export default class {}\n");
    const text = (name: string, more = "") =>
      `algorithm: {name: DQN}\nenvironment:\n  name: ${name}\n  num_envs: 2\n${more}`;
    const found = async (name: string, more?: string) => {
      const [issue] = await coordinator.check(text(name, more));
      return [issue?.path, issue?.line, issue?.message];
    };
    expect(await found("user/none")).toEqual([
      "environment.name",
      3,
      '"user/none" is not an environment stored in this browser; available: user/broken. Write it on the Environments page',
    ]);
    expect(await found("user/broken")).toEqual([
      "environment.name",
      3,
      expect.stringContaining("observation_space"),
    ]);
    expect(await found("Mine", "  path: ./mine.js\n")).toEqual([
      "environment.path",
      5,
      expect.stringContaining("on the Environments page"),
    ]);
    const old = `  version: "${await sha256Hex(new TextEncoder().encode("old"))}"\n`;
    expect(await found("user/broken", old)).toEqual([
      "environment.name",
      3,
      expect.stringContaining("remove version"),
    ]);
    await expect(coordinator.start(text("user/broken"))).rejects.toThrow("environment.name");
  });
});
