// @own-process: it fills the memory of MuJoCo.
import { describe, expect, it } from "vitest";
import {
  importMujoco,
  loadMujoco,
  requireVersion,
} from "../../../../../src/rl/environments/mujoco/engine/loadMujoco.ts";
import { Simulation } from "../../../../../src/rl/environments/mujoco/engine/Simulation.ts";
import { findEnvironment, loadEnvironment, make, makeVector } from "../../../../../src/rl/environments.ts";
import { UnstablePhysics } from "../../../../../src/rl/faces.ts";

const id = "HalfCheetah-v5";

describe("MuJoCo's module", () => {
  it("is asked for with the command that installs it", async () => {
    await expect(importMujoco("rlkit-no-such-package")).rejects.toThrow(
      'MuJoCo\'s tasks need the package @mujoco/mujoco, which is not installed; run "npm install @mujoco/mujoco@3.14"',
    );
  });

  it("is refused in a version that the tasks were not compared with", () => {
    expect(() => requireVersion({ mj_versionString: () => "3.2.7" })).toThrow(
      'found version 3.2.7 of the package @mujoco/mujoco, allowed 3.14; run "npm install @mujoco/mujoco@3.14"',
    );
  });

  it("must be loaded before environments are made", () => {
    expect(() => make("Swimmer-v5")).toThrow('call await loadEnvironment("Swimmer-v5") first');
  });
});

describe("simulations", () => {
  const falling = (size: string) =>
    `<mujoco><size memory="${size}"/><worldbody><body pos="0 0 1"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>`;

  it("name the line of a wrong text, and the module works on", async () => {
    const mujoco = await loadMujoco();
    expect(
      () => new Simulation(mujoco, "<mujoco>\n<worldbody>\n<geom type='plain'/></worldbody></mujoco>"),
    ).toThrow(/invalid keyword: 'plain'[\s\S]*line 3/);
    expect(() => new Simulation(mujoco, "<mujoco><worldbody></mujoco>")).toThrow(/XML parse error/);
    new Simulation(mujoco, falling("100K")).close();
  });

  it("go on after growth of the memory has detached their arrays", async () => {
    const mujoco = await loadMujoco();
    const simulation = new Simulation(mujoco, falling("100K"));
    const before = simulation.views.qpos;
    const large = [1, 2, 3].map(() => new Simulation(mujoco, falling("40M")));
    expect(before).toHaveLength(0);
    simulation.place([0, 0, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0]);
    simulation.step([], 10);
    expect(simulation.views.qpos[2]).toBeLessThan(1);
    for (const one of [simulation, ...large]) one.close();
  });

  it("say when MuJoCo's memory is full, and closing some makes room", async () => {
    const mujoco = await loadMujoco();
    const open: Simulation[] = [];
    const fill = () => {
      for (;;) open.push(new Simulation(mujoco, falling("256M")));
    };
    expect(fill).toThrow(
      /^MuJoCo has no memory for another simulation: [1-9]\d* fill its 2 GiB; lower num_envs/,
    );
    expect(open.length).toBeGreaterThan(2);
    for (const one of open) one.close();
    new Simulation(mujoco, falling("256M")).close();
  });

  it("tell that numbers are no longer finite, where MuJoCo starts over", async () => {
    const simulation = new Simulation(await loadMujoco(), falling("100K"));
    simulation.place([0, 0, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0]);
    simulation.views.qvel[0] = Number.NaN;
    expect(() => simulation.step([], 1)).toThrow(UnstablePhysics);
    simulation.place([0, 0, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0]);
    expect(() => simulation.step([], 1)).not.toThrow();
    simulation.close();
  });
});

describe("environments", () => {
  it("take actions beyond their bounds, refuse others, and continue after a fault", async () => {
    await loadEnvironment(id);
    const env = make(id);
    expect(() => env.step([0, 0, 0, 0, 0, 0])).toThrow(`${id}: step() was called before reset()`);
    expect(() => env.render()).toThrow(`${id}: render() was called before reset()`);
    env.reset({ seed: 1 });
    expect(env.step([5, -5, 5, -5, 5, -5]).reward).toBeLessThan(-10);
    expect(() => env.step([0, 0])).toThrow(`${id}: action`);
    expect(() => env.step([Number.NaN, 0, 0, 0, 0, 0])).toThrow(`${id}: action`);
    const huge = Array.from(env.getState(), (value, i) => (i === 9 ? 1e9 : value));
    env.setState(huge);
    expect(() => {
      for (let i = 0; i < 50; i++) env.step([1, 1, 1, 1, 1, 1]);
    }).toThrow("the physics became unstable");
    expect(env.reset({ seed: 1 }).observation).toEqual(env.reset({ seed: 1 }).observation);
    expect(() => env.setState([1])).toThrow(`${id}: state: found [1], allowed 18 finite numbers`);
    expect(() => env.reset({ options: { x: 1 } })).toThrow("reset.options.x is unknown");
    env.close();
    env.close();
    expect(() => env.getState()).toThrow("the environment is closed");
  });

  it("have the same bits for the same seed, in lanes as alone", async () => {
    await loadEnvironment(id);
    const action = [0.3, -0.2, 0.9, -1, 0.1, 0.5];
    const run = () => {
      const env = make(id);
      env.reset({ seed: 3 });
      for (let i = 0; i < 30; i++) env.step(action);
      const state = env.getState();
      env.close();
      return state;
    };
    expect(run()).toBeInstanceOf(Float64Array);
    expect(run()).toEqual(run());
    const lanes = makeVector(id, 3);
    expect(lanes.reset({ seed: 3 }).observation).toHaveLength(3 * 17);
    lanes.close();
  });

  it("end at their time limit", async () => {
    await loadEnvironment("Reacher-v5");
    const env = make("Reacher-v5");
    env.reset({ seed: 1 });
    const ends = Array.from({ length: 50 }, () => env.step([0, 0])).map(({ truncated }) => truncated);
    expect(ends.indexOf(true)).toBe(49);
    expect(() => env.step([0, 0])).toThrow("the episode has ended (truncated)");
    env.close();
  });

  it.each([
    [{ frame_skip: 0 }, `${id}.frame_skip`],
    [{ xml_file: "a.xml" }, `${id}.xml_file`],
    [{ reset_noise_scale: -1 }, `${id}.reset_noise_scale`],
    [{ healthy_z_range: [0, 1] }, `${id}.healthy_z_range`],
  ])("refuse %j", (options, place) => {
    expect(() => findEnvironment(id, options)).toThrow(place);
  });

  it("refuse ranges that do not rise, and bodies that do not exist", () => {
    expect(() => findEnvironment("Hopper-v5", { healthy_z_range: [1, 0.5] })).toThrow("healthy_z_range");
    expect(() => findEnvironment("Ant-v5", { main_body: "head" })).toThrow("Ant-v5.main_body");
  });

  it.each(["Hopper-v4", "Ant-v4", "Humanoid-v4", "Walker2d-v4", "InvertedPendulum-v4", "Reacher-v4"])(
    "%s is refused with version 5",
    (old) => {
      expect(() => findEnvironment(old)).toThrow(`did you mean "${old.replace("v4", "v5")}"`);
    },
  );

  it("observe what their options say", () => {
    const seen = (name: string, options: Record<string, unknown>) =>
      findEnvironment(name, options).observation_space;
    expect(seen("HalfCheetah-v4", { exclude_current_positions_from_observation: false })).toHaveProperty(
      "shape",
      [18],
    );
    expect(seen("Ant-v5", { include_cfrc_ext_in_observation: false })).toHaveProperty("shape", [27]);
    expect(seen("Humanoid-v5", { include_cinert_in_observation: false })).toHaveProperty("shape", [218]);
    expect(findEnvironment("Hopper-v5", { frame_skip: 8 }).frame_rate).toBe(63);
  });
});
