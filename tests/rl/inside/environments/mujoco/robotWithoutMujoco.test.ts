// @own-process: it mocks the module that loads MuJoCo.
import { expect, it, vi } from "vitest";
import type * as loading from "../../../../../src/rl/environments/mujoco/engine/loadMujoco.ts";
import { openRobot } from "../../../../../src/rl/environments/mujoco/robots/openRobot.ts";
import { RobotTask } from "../../../../../src/specs/sections.ts";

vi.mock("../../../../../src/rl/environments/mujoco/engine/loadMujoco.ts", async (original) => {
  const real = await original<typeof loading>();
  return { ...real, loadMujoco: () => real.importMujoco("rlkit-no-such-package") };
});

it("a robot asks for MuJoCo with the command that installs it", async () => {
  const task = RobotTask.parse({
    robot: "a.xml",
    observe: [{ part: "qpos" }],
    reward: [{ term: "alive", weight: 1 }],
  });
  await expect(openRobot("user/a", { task, files: { "a.xml": "<mujoco/>" } })).rejects.toThrow(
    'MuJoCo\'s tasks need the package @mujoco/mujoco, which is not installed; run "npm install @mujoco/mujoco@3.14"',
  );
});
