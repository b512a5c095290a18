/** The files of a robot that a user drops, and its texts one by one. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../../scripts/lib/environment.mjs";
import { prepareModule, readRobotSource } from "../../../src/sandbox/modules.ts";
import { sharedEnvironment } from "../../../src/ui/ownEnvironment/environmentLink.ts";
import { droppedRobot, robotPages } from "../../../src/ui/ownEnvironment/robotFiles.ts";

const read = (name: string): string => readFileSync(path.join(root, "examples/robot", name), "utf8");
const file = (name: string, content: string | Uint8Array<ArrayBuffer>) => ({
  name,
  content: new Blob([content]),
});
const model = file("puppy.xml", read("puppy.xml"));

describe("dropped files", () => {
  it("are a task, its model and what that names; manifests and others are left out", async () => {
    const others = ["ppo-puppy.yaml", "README.md"].map((name) => file(name, read(name)));
    const { name, source } = await droppedRobot([...others, file("puppy.yaml", read("puppy.yaml")), model]);
    expect(name).toBe("puppy");
    const robot = readRobotSource(source);
    expect([robot.robot, robot.task, Object.keys(robot.files)]).toEqual([
      "puppy.yaml",
      read("puppy.yaml"),
      ["puppy.xml"],
    ]);
    expect((await prepareModule("user/puppy", source)).script).toContain('"frame_skip":4');
  });

  it("without a task get one that is valid", async () => {
    const { source } = await droppedRobot([model]);
    const { task } = JSON.parse((await prepareModule("user/puppy", source)).script) as {
      task: { reward: unknown };
    };
    expect(task.reward).toContainEqual(expect.objectContaining({ term: "velocity", of: "trunk" }));
    const nameless = file("my robot.xml", read("puppy.xml").replaceAll(/<body name="\w+"/g, "<body"));
    const other = await droppedRobot([nameless]);
    expect(other.name).toBe("my-robot");
    expect((await prepareModule("user/r", other.source)).script).toContain('"part":"qvel"');
  });

  it("keep meshes as bytes, and the main model among included ones", async () => {
    const arm = file("arm.xml", '<mujocoinclude><asset><mesh file="hand.stl"/></asset></mujocoinclude>');
    const main = file("z.xml", '<mujoco><include file="arm.xml"/></mujoco>');
    const hand = file("hand.stl", Uint8Array.of(0, 255, 3));
    const { source } = await droppedRobot([arm, hand, main]);
    expect(readRobotSource(source).files).toMatchObject({ "hand.stl": { base64: btoa("\0\xff\x03") } });
    const { pages, others } = robotPages(source);
    expect(pages.map(({ name }) => name)).toEqual(["z.yaml", "arm.xml", "z.xml"]);
    expect(others).toEqual([{ name: "hand.stl", bytes: 3 }]);
    expect(readRobotSource(pages[1]?.withText("<mujocoinclude/>") ?? "").files["arm.xml"]).toBe(
      "<mujocoinclude/>",
    );
  });

  it("without a model are refused by their names, and by their size", async () => {
    await expect(droppedRobot([file("a.stl", "x"), file("b.txt", "y")])).rejects.toThrow(
      "The robot was not read: found a.stl, b.txt; allowed: a model in MuJoCo's format (.xml)",
    );
    const large = { name: "a.xml", content: { size: 1e9 } as Blob };
    await expect(droppedRobot([large])).rejects.toThrow("found 1000000000 bytes, allowed at most 32000000");
  });
});

it("a robot that no link can hold is not put into one", async () => {
  const bytes = new Uint8Array(900_000);
  const { source } = await droppedRobot([
    file("a.xml", '<mujoco><asset><mesh file="b.stl"/></asset></mujoco>'),
    file("b.stl", bytes),
  ]);
  expect(() => sharedEnvironment({ name: "a", source })).toThrow(
    "The environment is too large for a link, which holds 200000 characters.",
  );
});
