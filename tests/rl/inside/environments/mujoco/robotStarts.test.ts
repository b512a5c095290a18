// @apart: it compiles models and fills the memory of MuJoCo.
/** How episodes of robots start, against MuJoCo in Python: `mj_resetDataKeyframe`, `mj_forward`, then steps. */
import { describe, expect, it } from "vitest";
import type { NamedEnvironment } from "../../../../../src/rl/environments/face/ParallelEnvironment.ts";
import { openRobot } from "../../../../../src/rl/environments/mujoco/robots/openRobot.ts";
import { UnstablePhysics } from "../../../../../src/rl/faces.ts";
import { RobotTask } from "../../../../../src/specs/sections.ts";
import { recorder, size, theme } from "../../../support/drawingRecorder.ts";

/** A cart that a filtered actuator pulls, and a box that hangs on a hand which nothing but the key frame moves. */
const MODEL = `<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body name="hand" mocap="true" pos="0 0 1"><geom size="0.02" contype="0" conaffinity="0"/></body>
    <body name="load" pos="0 0 1"><freejoint name="free"/><geom name="g" type="box" size=".1 .1 .1" mass="1"/></body>
    <body name="cart" pos="2 0 1"><joint name="x" type="slide" axis="1 0 0" damping="0.1"/><geom type="box" size=".1 .1 .1" mass="1"/></body>
  </worldbody>
  <equality><weld name="grip" body1="hand" body2="load"/></equality>
  <actuator><general name="pull" joint="x" dyntype="filter" dynprm="0.5" gainprm="10" ctrlrange="-1 1"/></actuator>
  <sensor><clock name="clock"/><actuatorfrc name="force" actuator="pull"/><framepos name="place" objtype="body" objname="load"/></sensor>
  <keyframe><key name="held" time="2.5" qpos="0.1 0 1.2 1 0 0 0 0.2" qvel="0 0 0 0 0 0 0.3" act="0.7" ctrl="0.4" mpos="0.1 0.2 1.3" mquat="0.8 0 0.6 0"/></keyframe>
</mujoco>`;

function opened(text: string, task: object) {
  const reward = [{ term: "alive", weight: 1 }];
  const parsed = RobotTask.parse({ robot: "m.xml", reward, ...task });
  return openRobot("user/start", { task: parsed, files: { "m.xml": text } });
}

async function robot(text: string, task: object): Promise<NamedEnvironment> {
  const definition = await opened(text, task);
  // A robot has one agent.
  return (await definition.load())({ max_episode_steps: 1000 }) as NamedEnvironment;
}

const ALL = [{ part: "qpos" }, { part: "qvel" }, { part: "ctrl" }, { part: "sensordata" }];

describe("an episode of a robot", () => {
  it("starts with all that its key frame holds, after whatever came before", async () => {
    const env = await robot(MODEL, {
      frame_skip: 5,
      observe: ALL,
      reset: { keyframe: "held", qpos: 0, qvel: 0 },
    });
    // mujoco 3.14 in Python: qpos 8, qvel 7, ctrl, clock, force, place 3; rounded to seven digits.
    const expected = [
      [0.1, 0, 1.2, 1, 0, 0, 0, 0.2, 0, 0, 0, 0, 0, 0, 0.3, 0.4, 2.5, 7, 0.1, 0, 1.2],
      [
        0.1, 0.1525391, 1.27612, 0.8794277, 0, 0.4760325, 0, 0.2249586, 0, 1.582031, 0.7894636, 0, 10.5267, 0,
        0.6239793, -0.5, 2.54, 6.068418, 0.1, 0.1367188, 1.268225,
      ],
      [
        0.1, 0.1887373, 1.294183, 0.8186909, 0, 0.5742345, 0, 0.2649384, 0, 0.3754234, 0.1873434, 0, 2.285687,
        0, 0.9185149, 0.9, 2.59, 6.091819, 0.1, 0.1849831, 1.29231,
      ],
    ];
    for (let episode = 0; episode < 2; episode++) {
      const found = [env.reset({ seed: 1 }), ...[-0.5, 0.9].map((action) => env.step([action]))];
      for (const [i, { observation }] of found.entries())
        expect([...observation]).toEqual(expected[i]?.map((x) => expect.closeTo(x, 5)));
    }
    env.close();
  });

  it("goes on from its saved state to the bit: clock, filter, held body and delayed sensor", async () => {
    const delayed = MODEL.replace("</sensor>", '<jointpos joint="x" delay="0.03" nsample="8"/></sensor>');
    const env = await robot(delayed, { frame_skip: 5, observe: ALL, reset: { keyframe: "held" } });
    env.reset({ seed: 1 });
    const steps = () => Array.from({ length: 20 }, (_, i) => env.step([Math.sin(i)]));
    steps();
    const state = env.save?.();
    const onward = steps();
    env.reset();
    env.load?.(state);
    expect(steps()).toEqual(onward);
    env.close();
  });

  it("starts at time 0 without a key frame", async () => {
    const env = await robot(MODEL, { observe: [{ part: "sensordata", of: "clock" }], frame_skip: 4 });
    expect([...env.reset({ seed: 1 }).observation]).toEqual([0]);
    expect([...env.step([0]).observation]).toEqual([expect.closeTo(0.03, 6)]);
    env.close();
  });

  it("draws a body that is moved from outside where the key frame has it", async () => {
    const drawn = async (text: string, reset: object) => {
      const { draw } = await opened(text, { observe: ALL, reset });
      const { context, calls } = recorder();
      draw?.(context, [0.1, 0, 1.2, 1, 0, 0, 0, 0.2], null, size, theme);
      return calls;
    };
    const there = MODEL.replace('pos="0 0 1"><geom', 'pos="0.1 0.2 1.3" quat="0.8 0 0.6 0"><geom');
    const expected = await drawn(there, {});
    expect(await drawn(MODEL, { keyframe: "held" })).toEqual(expected);
    expect(await drawn(MODEL, {})).not.toEqual(expected);
  });

  it("ends where the first physics step of all is unstable", async () => {
    const strong = MODEL.replace('dyntype="filter"', "")
      .replace('gainprm="10"', 'gainprm="1e14"')
      .replace(/<keyframe>.*<.keyframe>/, "");
    const env = await robot(strong, { observe: ALL, frame_skip: 1 });
    env.reset({ seed: 1 });
    expect(() => env.step([1])).toThrow(new UnstablePhysics().message);
    env.close();
  });
});
