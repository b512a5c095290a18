import { beforeAll, describe, expect, it } from "vitest";
import { SHADE } from "../../../../../src/rl/environments/drawing/scene.ts";
import { placed, skeletonOf } from "../../../../../src/rl/environments/mujoco/drawing/skeleton.ts";
import {
  loadMujoco,
  type MjData,
  type MjModel,
} from "../../../../../src/rl/environments/mujoco/engine/loadMujoco.ts";
import { mjcf } from "../../../../../src/rl/environments/mujoco/models/mjcf.ts";
import { models } from "../../../../../src/rl/environments/mujoco/models/models.ts";
import { drawEnvironment, loadEnvironment, make } from "../../../../../src/rl/environments.ts";
import { type Call, recorder, size, theme } from "../../../support/drawingRecorder.ts";

const names = Object.keys(models) as (keyof typeof models)[];
const idOf = (name: string): string => (["Reach", "Push"].includes(name) ? `rlkit/${name}-v0` : `${name}-v5`);

/** Some state of a task: after some steps. */
function stateOf(id: string): number[] {
  const env = make(id);
  env.reset({ seed: 4 });
  const width = env.action_space.kind === "Box" ? env.action_space.low.length : 0;
  for (let i = 0; i < 8; i++) {
    const { terminated } = env.step(Array.from({ length: width }, (_, joint) => Math.sin(i + 2 * joint) / 3));
    if (terminated) break;
  }
  const state = [...env.getState()];
  env.close();
  return state;
}

function drawn(id: string, state: readonly number[]): Call[] {
  const { context, calls } = recorder();
  drawEnvironment(id)?.(context, state, null, size, theme);
  return calls;
}

beforeAll(async () => {
  for (const name of names) await loadEnvironment(idOf(name));
});

describe.each(names)("drawing of %s", (name) => {
  const id = idOf(name);

  it("has every shape where MuJoCo has it", async () => {
    const mujoco = await loadMujoco();
    const model: MjModel = mujoco.MjModel.from_xml_string(mjcf(models[name]));
    const data: MjData = new mujoco.MjData(model);
    const state = stateOf(id);
    (data["qpos"] as Float64Array).set(state.slice(0, model.nq));
    mujoco.mj_forward(model, data);
    const centres = data["geom_xpos"] as Float64Array;
    const { shapes } = placed(skeletonOf(models[name]), state);
    const found = shapes.map(({ ends: [a, b] }) => a.map((from, i) => (from + (b[i] as number)) / 2));
    // MuJoCo has the ground, too, and orders shapes by their bodies.
    const theirs = Array.from({ length: centres.length / 3 }, (_, i) => [...centres.slice(3 * i, 3 * i + 3)]);
    for (const centre of found) {
      const nearest = Math.min(
        ...theirs.map((other) => Math.max(...other.map((x, i) => Math.abs(x - (centre[i] as number))))),
      );
      expect(nearest).toBeLessThan(1e-6);
    }
    expect(found.length).toBe(theirs.length - (mjcf(models[name]).includes('type="plane"') ? 1 : 0));
    data.delete();
    model.delete();
  });

  it("takes few strokes and fills, so that 64 of them stay fast", () => {
    const painted = drawn(id, stateOf(id)).filter(({ name: call }) => ["fill", "stroke"].includes(call));
    expect(painted.length).toBeLessThan(120);
  });

  it("covers its size, uses the theme's colours and dark shadows, and leaves the context as it was", () => {
    const calls = drawn(id, stateOf(id));
    const fill = calls.findIndex((call) => call.name === "fillRect");
    expect(calls[fill]?.args).toEqual([0, 0, 320, 200]);
    const depth = calls.reduce(
      (d, call) => d + (call.name === "save" ? 1 : call.name === "restore" ? -1 : 0),
      0,
    );
    expect([calls[0]?.name, calls.at(-1)?.name, depth]).toEqual(["save", "restore", 0]);
    const colours = calls
      .filter((call) => call.name === "fillStyle" || call.name === "strokeStyle")
      .map((call) => call.args[0]);
    expect(colours).toContain("accent");
    for (const colour of colours) expect([...Object.values(theme), SHADE]).toContain(colour);
    const numbers = calls.flatMap((call) => call.args).filter((arg) => typeof arg === "number");
    expect(numbers.every(Number.isFinite)).toBe(true);
  });

  it("is what render draws", () => {
    const env = make(id);
    env.setState(stateOf(id));
    const { context, calls } = recorder();
    env.render({ context, size, theme });
    const { state, action } = env.render();
    expect(calls).toEqual(drawn(id, [...state]));
    expect(action).toBeNull();
    env.close();
  });
});

it("follows a body along the ground, whose tiles pass by", () => {
  const state = stateOf("HalfCheetah-v5");
  const at = (x: number): string =>
    JSON.stringify(
      drawn("HalfCheetah-v5", [x, ...state.slice(1)]).map(({ name, args }) => [
        name,
        ...args.map((arg) => (typeof arg === "number" ? Math.round(arg * 1e6) + 0 : arg)),
      ]),
    );
  // Two tiles of half a metre later the ground looks the same; a quarter of a metre later it does not.
  expect(at(8)).toBe(at(7));
  expect(at(7.25)).not.toBe(at(7));
});
