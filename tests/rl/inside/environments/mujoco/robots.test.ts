// @apart: it compiles models and fills the memory of MuJoCo.
/** Robots of one's own: what they observe, are paid and may not do, their drawing, and their faults. */
import { describe, expect, it } from "vitest";
import type { NamedEnvironment } from "../../../../../src/rl/environments/face/ParallelEnvironment.ts";
import { ROBOT_BYTES } from "../../../../../src/rl/environments/mujoco/robots/modelText.ts";
import {
  filesOfModel,
  openRobot,
  type RobotFile,
} from "../../../../../src/rl/environments/mujoco/robots/openRobot.ts";
import { UnstablePhysics } from "../../../../../src/rl/faces.ts";
import { RobotTask } from "../../../../../src/specs/sections.ts";
import { recorder, size, theme } from "../../../support/drawingRecorder.ts";

/** A cart that slides along x, with a ball on a rod. */
const CART = `<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.01"/>
  <worldbody>
    <geom type="plane" size="5 5 1" pos="0 0 -1"/>
    <site name="goal" pos="2 0 0"/>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0"/>
      <geom type="box" size="0.2 0.1 0.05"/>
      <body name="rod" pos="0 0 0.05">
        <joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.4" size="0.02"/>
        <site name="tip" pos="0 0 0.4"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="slide" gear="20" ctrlrange="-2 3"/></actuator>
  <sensor><framelinvel name="tip_speed" objtype="site" objname="tip"/></sensor>
  <keyframe><key name="tilted" qpos="0.5 0.1" qvel="0 0"/></keyframe>
</mujoco>`;

const TASK = {
  robot: "cart.xml",
  frame_skip: 2,
  observe: [{ part: "qpos" }, { part: "qvel", of: "hinge" }, { part: "sensordata", of: "tip_speed", to: 1 }],
  reward: [{ term: "alive", weight: 1 }],
  reset: { qpos: 0, qvel: 0 },
};

const opened = (task: object = {}, files: Record<string, RobotFile> = { "cart.xml": CART }) =>
  openRobot("user/cart", { task: RobotTask.parse({ ...TASK, ...task }), files });

async function made(task: object = {}): Promise<NamedEnvironment> {
  const definition = await opened(task);
  // A robot has one agent.
  return (await definition.load())({ max_episode_steps: 1000 }) as NamedEnvironment;
}

describe("a robot", () => {
  it("observes parts in order, and acts within its actuators' ranges", async () => {
    const { observation_space, action_space, max_episode_steps, frame_rate } = await opened();
    expect(observation_space).toMatchObject({ shape: [4] });
    expect(action_space).toMatchObject({ low: Float32Array.of(-2), high: Float32Array.of(3) });
    expect([max_episode_steps, frame_rate]).toEqual([1000, 50]);
    const env = await made();
    expect([...env.reset({ seed: 1 }).observation]).toEqual([0, 0, 0, 0]);
    const { observation } = env.step([3]);
    const state = env.getState();
    expect([...observation].slice(0, 3)).toEqual(
      [state[0], state[1], state[3]].map((x) => Math.fround(x ?? 0)),
    );
    expect(state[0]).toBeGreaterThan(0);
    env.close();
  });

  it("is paid the weighted sum of its terms, which info tells apart", async () => {
    const env = await made({
      observe: [{ part: "xpos", of: "cart", to: 1 }],
      reward: [
        { term: "velocity", of: "cart", axis: "x", weight: 2 },
        { term: "height", of: "rod", weight: 1 },
        { term: "distance", from: "cart", to: "goal", weight: -1, limit: [null, 1.5] },
        { term: "control", weight: -0.1 },
        { term: "value", part: "qpos", of: "slide", weight: 10 },
        { term: "square", part: "qvel", clip: [-0.1, 0.1], weight: 3 },
        { term: "alive", weight: 0.5 },
      ],
    });
    env.reset({ seed: 1 });
    env.step([2]);
    const [before] = env.step([2]).observation;
    const { observation, reward, info } = env.step([2]);
    // Places of bodies are those of the last physics step, before its integration.
    const speed = ((observation[0] as number) - (before as number)) / 0.02;
    const state = env.getState();
    const clipped = (value = 0) => Math.min(0.1, Math.max(-0.1, value));
    expect(info).toEqual({
      reward_velocity: expect.closeTo(2 * speed, 4),
      reward_height: expect.closeTo(0.05, 6),
      reward_distance: -1.5,
      reward_control: expect.closeTo(-0.4, 10),
      reward_value: expect.closeTo(10 * (state[0] ?? 0), 10),
      reward_square: expect.closeTo(3 * (clipped(state[2]) ** 2 + clipped(state[3]) ** 2), 10),
      reward_alive: 0.5,
    });
    const parts = Object.values(info) as number[];
    expect(reward).toBeCloseTo(
      parts.reduce((sum, part) => sum + part, 0),
      10,
    );
    env.close();
  });

  it("ends where a number leaves its range, without pay for being alive", async () => {
    const env = await made({ healthy: [{ part: "qpos", of: "slide", range: [null, 0.05] }] });
    env.reset({ seed: 1 });
    let step = env.step([3]);
    while (!step.terminated) {
      expect(step.reward).toBe(1);
      step = env.step([3]);
    }
    expect(step.reward).toBe(0);
    expect(env.getState()[0]).toBeGreaterThanOrEqual(0.05);
    env.close();
  });

  it("starts at a key frame, with noise, or anywhere in a joint's range, by its seed", async () => {
    const tilted = await made({ reset: { keyframe: "tilted", qpos: 0, qvel: 0 } });
    tilted.reset({ seed: 1 });
    expect([...tilted.getState()]).toEqual([0.5, 0.1, 0, 0]);
    tilted.close();
    for (const noise of ["uniform", "normal"]) {
      const env = await made({ reset: { noise, qpos: 0.2, qvel: 0, joints: { slide: [3, 4] } } });
      const starts = [1, 2, 1].map((seed) => {
        env.reset({ seed });
        return [...env.getState()];
      });
      expect(starts[0]).toEqual(starts[2]);
      expect(starts[0]).not.toEqual(starts[1]);
      const [slide = 0, hinge = 0, ...velocities] = starts[0] ?? [];
      expect(slide >= 3 && slide <= 4 && hinge !== 0).toBe(true);
      expect(velocities).toEqual([0, 0]);
      env.close();
    }
  });

  it("goes on from a given state", async () => {
    const env = await made();
    env.reset({ seed: 1 });
    env.setState([1, 0.2, 0.3, 0]);
    expect([...env.getState()]).toEqual([1, 0.2, 0.3, 0]);
    env.close();
  });

  it("draws every shape, boxes as their outlines", async () => {
    const { draw } = await opened();
    const { context, calls } = recorder();
    draw?.(context, [0, 0.3, 0, 0], null, size, theme);
    const names = calls.map(({ name }) => name);
    // The rod is three strokes, with its gap and its light; the box is filled as often, behind the ground's fills.
    expect(names.filter((name) => name === "stroke")).toHaveLength(3);
    expect(names.slice(0, names.indexOf("stroke")).join(" ")).toMatch(
      /(beginPath moveTo lineTo lineTo lineTo closePath fillStyle fill (globalAlpha )?){3}/,
    );
    expect(JSON.stringify(calls)).not.toMatch(/null|NaN/);
  });
});

describe("a drawing", () => {
  /** What is drawn of three bodies, one in another. @param inside Their shapes. */
  async function drawn(inside: readonly [string, string, string]): Promise<string> {
    const [a, b, c] = inside;
    const model = `<mujoco><worldbody><body>${a}<joint name="j"/><body pos="1 0 0"><joint/>${b}<body pos="1 0 0"><joint/>${c}</body></body></body></worldbody>
      <actuator><motor joint="j" ctrlrange="-1 1"/></actuator></mujoco>`;
    const { draw } = await opened({ observe: [{ part: "qpos" }] }, { "cart.xml": model });
    const { context, calls } = recorder();
    draw?.(context, [0.3, 0.2, 0.1], null, size, theme);
    return JSON.stringify(calls);
  }
  const MASS = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>';
  const solid = (group: number) => `<geom type="box" size=".3 .2 .2" group="${group}"/>`;
  const look = (group: number) => `${MASS}<geom size=".2" group="${group}" contype="0" conaffinity="0"/>`;
  const twice = solid(0) + look(1);
  const three = [look(1), look(1), look(1)] as const;

  it("has shapes once that a model has twice, to look at and to collide", async () => {
    const expected = await drawn(three);
    expect(await drawn([twice, twice, twice])).toBe(expected);
    expect(await drawn([twice, twice, solid(0) + MASS])).toBe(
      await drawn([look(1), look(1), solid(0) + MASS]),
    );
    expect(await drawn([look(2) + solid(3), look(2) + solid(3), look(2) + solid(4)])).toBe(expected);
  });

  it("has ornaments beside what collides, and what collides where nothing else is there", async () => {
    const plain = await drawn([solid(0), solid(0), solid(0)]);
    const ornament = await drawn([twice, solid(0), solid(0)]);
    expect(ornament.length).toBeGreaterThan(plain.length);
    expect(await drawn([solid(3), solid(3), solid(4)])).toBe(plain);
  });
});

/** A body with one motor, and something wrong. */
const body = (inside: string, more = ""): string =>
  `<mujoco>\n<worldbody>\n<body name="a">\n<joint name="j"/><geom size="1"/>\n${inside}\n</body></worldbody>\n<actuator><motor name="m" joint="j" ctrlrange="-1 1"/></actuator>${more}</mujoco>`;

describe("a faulty model", () => {
  it.each([
    ["is no XML", body("<geom size=1/>"), /^cart.xml, line 5: found "<geom size=1\/>", allowed an element/],
    ["is cut off", "<mujoco><worldbody>", /^cart.xml: XML parse error.*[Ll]ine number=1/],
    [
      "has an unknown attribute",
      body('<geom siz="1"/>'),
      /unrecognized attribute: 'siz'; Element 'geom', line 5$/,
    ],
    [
      "has a wrong number",
      body('<geom size="one"/>'),
      /bad format in attribute 'size'; Element 'geom', line 5$/,
    ],
    [
      "declares entities",
      `<!DOCTYPE m [<!ENTITY a "b">]>${body("")}`,
      /line 1: found "<!DOCTYPE m ", allowed elements/,
    ],
    [
      "copies too often",
      body('<replicate count="100">\n<replicate count="100"><site/></replicate></replicate>'),
      /^cart.xml, line 6: found more than 5000 elements with the copies of <replicate>, allowed at most 5000$/,
    ],
    [
      "has a large composite",
      body('<composite type="cable" count="6000 1 1"/>'),
      /line 5: found more than 5000 elements/,
    ],
    [
      "has a large flex",
      body('<flexcomp name="f" type="grid" count="20 20 20"/>'),
      /line 5: found more than 5000/,
    ],
    [
      "has a large table",
      body("", '<asset>\n<hfield name="h" nrow="9999" ncol="9999"/></asset>'),
      /line 8: found a table of 9999 x 9999/,
    ],
    [
      "is in URDF",
      '<robot name="arm"><link name="l"/></robot>',
      /line 1: found <robot>, a model in URDF, .*<actuator>/,
    ],
    ["attaches another", body('<attach model="b"/>'), /line 5: found <attach>, which robots cannot have/],
    [
      "has no mass",
      body('<body name="b"><joint/><geom size="1" mass="0"/></body>'),
      /mass and inertia of moving bodies must be larger than mjMINVAL; Element name 'b', id 2, line 5$/,
    ],
    [
      "lacks a mesh",
      body("", '\n<compiler meshdir="parts"/>\n<asset><mesh file="leg.stl"/></asset>'),
      /^cart.xml, line 9: found no file "parts\/leg.stl"; put it beside the model \(there are cart.xml\)$/,
    ],
    [
      "lacks actuators",
      "<mujoco><worldbody/></mujoco>",
      /^cart.xml: found no actuators, allowed at least one/,
    ],
    [
      "has an actuator without limits",
      body("", '<actuator><motor name="free" joint="j"/></actuator>'),
      /^cart.xml: actuator free: found no limits of its control, allowed a finite range/,
    ],
    [
      "does not use its limits",
      body("", '<actuator><motor joint="j" ctrllimited="false" ctrlrange="-1 1"/></actuator>'),
      /^cart.xml: actuator number 1: found no limits/,
    ],
    [
      "has an endless limit",
      body("", '<actuator><motor name="w" joint="j" ctrlrange="-inf 1"/></actuator>'),
      /actuator w: found ctrlrange="-Infinity 1", allowed a finite range/,
    ],
  ])("that %s is refused, and where", async (_what, model, message) => {
    await expect(opened({}, { "cart.xml": model })).rejects.toThrow(message);
  });

  it("is refused by its size, and by that of its files", async () => {
    const text = CART.replace("<worldbody>", `<worldbody><!--${" ".repeat(ROBOT_BYTES.xml)}-->`);
    await expect(opened({}, { "cart.xml": text })).rejects.toThrow(
      /cart.xml: found more than 1000000 bytes of XML/,
    );
    const part = { base64: "A".repeat((ROBOT_BYTES.file * 4) / 3 + 4) };
    const large = { "cart.xml": CART, "leg.stl": part };
    await expect(opened({}, large)).rejects.toThrow(
      /^leg.stl: found 4000002 bytes, allowed at most 4000000$/,
    );
    const parts = Object.fromEntries(
      ["a", "b", "c"].map((name) => [`${name}.stl`, { base64: "A".repeat(4e6) }]),
    );
    await expect(opened({}, { "cart.xml": CART, ...parts })).rejects.toThrow(
      /allowed at most 8000000 together/,
    );
    await expect(opened({}, {})).rejects.toThrow(
      'robot: found "cart.xml", which is not among the files (none)',
    );
  });

  it("cannot ask for MuJoCo's whole memory", async () => {
    const greedy = CART.replace("<worldbody>", '<size memory="1G" nuserdata="100000000"/><worldbody>');
    const definition = await opened({}, { "cart.xml": greedy });
    const make = await definition.load();
    const many = Array.from({ length: 40 }, () => make({ max_episode_steps: 10 }) as NamedEnvironment);
    expect(many.map((env) => env.reset({ seed: 1 }).observation)).toHaveLength(40);
    for (const env of many) env.close();
  });

  it("may include others, but not itself", async () => {
    const cart = CART.replace("<actuator>", '<include file="motors.xml"/><actuator>');
    const motors =
      '<mujocoinclude><actuator><motor joint="hinge" ctrlrange="-1 1"/></actuator></mujocoinclude>';
    const { action_space } = await opened({}, { "cart.xml": cart, "motors.xml": motors });
    expect(action_space).toMatchObject({ shape: [2] });
    const itself = motors.replace("<actuator>", '<include file="motors.xml"/><actuator>');
    await expect(opened({}, { "cart.xml": cart, "motors.xml": itself })).rejects.toThrow(
      "motors.xml, line 1: found <include> of motors.xml within itself",
    );
    const unread = { base64: btoa(motors) };
    await expect(opened({}, { "cart.xml": cart, "motors.xml": unread })).rejects.toThrow(
      "motors.xml: found bytes, allowed XML as text",
    );
  });

  it("names files beside it: textures are left out, as physics does without", async () => {
    const text = `<mujoco><compiler meshdir="parts"/>\n<asset><mesh file="leg.stl"/><texture file="wood.png"/></asset><include file="arm.xml"/></mujoco>`;
    const { named, compiler } = await filesOfModel(text, "a.xml");
    expect(named).toEqual([
      { name: "parts/leg.stl", line: 2 },
      { name: "arm.xml", line: 2 },
    ]);
    const arm = await filesOfModel(
      '<mujocoinclude><asset><mesh file="hand.stl"/></asset></mujocoinclude>',
      "arm.xml",
      compiler,
    );
    expect(arm.named).toEqual([{ name: "parts/hand.stl", line: 1 }]);
  });
});

it("a mesh is a shape of the model and of its drawing", async () => {
  const corners = ["0 0 0", "0.3 0 0", "0 0.3 0", "0 0 0.3"];
  const mesh = `${corners.map((one) => `v ${one}`).join("\n")}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`;
  const model = CART.replace(
    "<worldbody>",
    '<asset><mesh name="leg" file="leg.obj"/></asset><worldbody>',
  ).replace('<geom type="box" size="0.2 0.1 0.05"/>', '<geom type="mesh" mesh="leg"/>');
  const { draw } = await opened({}, { "cart.xml": model, "leg.obj": mesh });
  const { context, calls } = recorder();
  draw?.(context, [0, 0, 0, 0], null, size, theme);
  expect(calls.length).toBeGreaterThan(20);
});

describe("a faulty task", () => {
  it.each([
    [
      { observe: [{ part: "qpos", of: "hinges" }] },
      'observe[0].of: found "hinges", which is no joint of the model; did you mean "hinge"?; allowed: slide, hinge',
    ],
    [
      { observe: [{ part: "xpos", of: "slide" }] },
      'observe[0].of: found "slide", which is no body of the model; allowed: world, cart, rod',
    ],
    [
      { observe: [{ part: "sensordata", of: "touch" }] },
      'observe[0].of: found "touch", which is no sensor of the model; allowed: tip_speed',
    ],
    [
      { observe: [{ part: "qpos", from: 2 }] },
      "observe[0].from: found 2, but qpos has 2 numbers; allowed: 0 to 1",
    ],
    [
      { observe: [{ part: "xpos", of: "rod", to: 4 }] },
      "observe[0].to: found 4, but xpos of rod has 3 numbers; allowed: 1 to 3",
    ],
    [
      { observe: [{ part: "site_xpos", from: 5, to: 4 }] },
      "observe[0].to: found 4, but site_xpos has 6 numbers; allowed: 6 to 6",
    ],
    [
      { reward: [{ term: "velocity", of: "wheel", weight: 1 }] },
      'reward[0].of: found "wheel", which is no body of the model; allowed: world, cart, rod',
    ],
    [
      { reward: [{ term: "distance", from: "cart", to: "gaol", weight: 1 }] },
      'reward[0].to: found "gaol", which is no body or site of the model; did you mean "goal"?; allowed: world, cart, rod, goal, tip',
    ],
    [
      { healthy: [{ part: "ctrl", of: "pull", range: [0, 1] }] },
      'healthy[0].of: found "pull", which is no actuator of the model; allowed: push',
    ],
    [
      { reset: { keyframe: "upside" } },
      'reset.keyframe: found "upside", which is no keyframe of the model; allowed: tilted',
    ],
    [
      { reset: { joints: { knee: [0, 1] } } },
      'reset.joints.knee: found "knee", which is no joint of the model; allowed: slide, hinge',
    ],
  ])("%j is refused by its dotted path", async (task, message) => {
    await expect(opened(task)).rejects.toThrow(message);
  });

  it("is told with all its problems", async () => {
    const task = { observe: [{ part: "qpos", from: 9 }], reward: [{ term: "height", of: "x", weight: 1 }] };
    await expect(opened(task)).rejects.toThrow(/2 problems[\s\S]*observe\[0\].from[\s\S]*reward\[0\].of/);
  });
});

it("a physics that explodes is told as such, and the next episode is well", async () => {
  const wild = CART.replace('gear="20"', 'gear="1e200"');
  const definition = await opened({}, { "cart.xml": wild });
  const env = (await definition.load())({ max_episode_steps: 1000 }) as NamedEnvironment;
  env.reset({ seed: 1 });
  expect(() => env.step([1])).toThrow(UnstablePhysics);
  env.reset({ seed: 1 });
  expect(env.step([0]).reward).toBe(1);
  env.close();
});
