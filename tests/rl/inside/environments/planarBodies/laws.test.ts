/** Laws of mechanics that planar bodies obey, whatever their table says. */
import { describe, expect, it } from "vitest";
import { chainOf } from "../../../../../src/rl/environments/planarBodies/chain.ts";
import { wholeBody } from "../../../../../src/rl/environments/planarBodies/PlanarBody.ts";
import { type PlanarBody, planarTask } from "../../../../../src/rl/environments.ts";
import { stepLanes } from "../stepLanes.ts";

const rod = (length: number) => [{ from: [0, 0], to: [0, -length], radius: 0.04 }] as const;

/** A trunk with two limbs, one of them jointed, without friction; it falls freely. */
const flyer: PlanarBody = {
  trunk: { height: 50, capsules: [{ from: [-0.3, 0.05], to: [0.4, 0], radius: 0.06 }] },
  parts: [
    { name: "arm", at: [-0.3, 0], gear: 5, armature: 0.02, capsules: rod(0.4) },
    { name: "hand", parent: "arm", at: [0, -0.4], axis: -1, gear: 2, capsules: rod(0.2) },
    { name: "tail", at: [0.4, 0.1], stiffness: 3, gear: 1, capsules: rod(0.3) },
  ],
};

/** x, z, angle, joints; then their rates. */
const START = [0, 0, 0.4, 0.3, -0.7, 0.5, 1, 2, -1.5, 3, -4, 2];
const joints = flyer.parts.length;

type State = readonly number[];

/** Sum of kinetic and potential energy, momentum, and angular momentum about the common centre, in plain numbers. */
function mechanics(state: State, body: PlanarBody) {
  const links = chainOf(wholeBody(body, "flyer"));
  const n = links.length + 2;
  type Place = { x: number; z: number; vx: number; vz: number; angle: number; turn: number };
  const places: Place[] = [];
  const masses: { x: number; z: number; vx: number; vz: number; m: number; spin: number }[] = [];
  let energy = 0;
  for (const [i, link] of links.entries()) {
    const base = places[link.parent] ?? { x: 0, z: 0, vx: 0, vz: 0, angle: 0, turn: 0 };
    const rate = state[n + 2 + i] as number;
    const along = ([x, z]: readonly [number, number], { angle, turn }: Pick<Place, "angle" | "turn">) => {
      const [dx, dz] = [Math.cos(angle) * x + Math.sin(angle) * z, Math.cos(angle) * z - Math.sin(angle) * x];
      return { dx, dz, dvx: turn * dz, dvz: -turn * dx };
    };
    const arm = along(link.at, base);
    const trunk = i === 0;
    const own: Place = {
      x: base.x + arm.dx + (trunk ? (state[0] as number) : 0),
      z: base.z + arm.dz + (trunk ? (state[1] as number) : 0),
      vx: base.vx + arm.dvx + (trunk ? (state[n] as number) : 0),
      vz: base.vz + arm.dvz + (trunk ? (state[n + 1] as number) : 0),
      angle: base.angle + link.axis * (state[2 + i] as number),
      turn: base.turn + link.axis * rate,
    };
    places.push(own);
    const c = along(link.centre, own);
    const centre = { x: own.x + c.dx, z: own.z + c.dz, vx: own.vx + c.dvx, vz: own.vz + c.dvz };
    masses.push({ ...centre, m: link.mass, spin: link.inertia * own.turn });
    energy += 0.5 * link.mass * (centre.vx * centre.vx + centre.vz * centre.vz) + 9.81 * link.mass * centre.z;
    energy += 0.5 * link.inertia * own.turn * own.turn + 0.5 * link.armature * rate * rate;
    energy += trunk ? 0 : 0.5 * link.stiffness * (state[2 + i] as number) * (state[2 + i] as number);
  }
  const sum = (of: (mass: (typeof masses)[number]) => number) => masses.reduce((s, mass) => s + of(mass), 0);
  const m = sum((mass) => mass.m);
  const [x, z] = [sum((s) => s.m * s.x) / m, sum((s) => s.m * s.z) / m];
  const [px, pz] = [sum((s) => s.m * s.vx), sum((s) => s.m * s.vz)];
  const turning = sum((s) => s.spin + s.m * ((s.z - z) * s.vx - (s.x - x) * s.vz));
  return { energy, px, pz, turning, m };
}

function run(body: PlanarBody, frame_skip: number, steps: number, action: readonly number[]): State {
  const env = planarTask({ id: "test/Flyer-v0", body, frame_skip });
  let state: State = START;
  for (let t = 0; t < steps; t++) state = stepLanes(env, [{ state, action }])[0]?.state as State;
  return state;
}

const still = Array<number>(joints).fill(0);

describe("a body in flight", () => {
  const before = mechanics(START, flyer);
  const drift = (time_step: number, integrator: "euler" | "rk4"): number => {
    const body = { ...flyer, time_step, integrator };
    return Math.abs(
      mechanics(run(body, Math.round(0.04 / time_step), 5, still), body).energy - before.energy,
    );
  };

  it("keeps its energy: to the rounding of f32 with Runge-Kutta, in proportion to the step with Euler", () => {
    const swing = before.energy - 9.81 * before.m * 50;
    expect(drift(0.002, "rk4")).toBeLessThan(1e-4 * Math.abs(swing));
    const [coarse, fine] = [drift(0.004, "euler"), drift(0.002, "euler")];
    expect(fine).toBeLessThan(0.02 * Math.abs(swing));
    expect(coarse / fine).toBeGreaterThan(1.7);
    expect(coarse / fine).toBeLessThan(2.3);
  });

  it("keeps its momentum, and all its motors cannot change that", () => {
    const body = { ...flyer, integrator: "rk4" } as const;
    // Rotors turn without a counterpart in the momenta of masses.
    const free = { ...body, parts: body.parts.map((part) => ({ ...part, armature: 0 })) };
    const after = mechanics(run(free, 5, 10, [1, -1, 0.5]), free);
    const seconds = 0.1;
    expect(after.px).toBeCloseTo(before.px, 3);
    expect(after.pz).toBeCloseTo(before.pz - 9.81 * before.m * seconds, 3);
    expect(after.turning).toBeCloseTo(before.turning, 3);
  });
});

describe("limits of joints", () => {
  it("hold against a motor at full torque", () => {
    const range = [-0.5, 0.2] as const;
    const parts = flyer.parts.map((part) => ({ ...part, range, damping: 0.5, armature: 0.05 }));
    for (const sign of [1, -1]) {
      const state = run(
        { ...flyer, parts, integrator: "rk4" },
        5,
        40,
        still.map(() => sign),
      );
      for (const angle of state.slice(3, 3 + joints)) {
        expect(angle).toBeGreaterThan(range[0] - 0.05);
        expect(angle).toBeLessThan(range[1] + 0.05);
      }
    }
  });
});

describe("the ground", () => {
  const fin = [{ from: [0, 0], to: [0, 0.02], radius: 0.005 }] as const;
  const brick: PlanarBody = {
    trunk: { height: 0.1, capsules: [{ from: [-0.3, 0], to: [0.3, 0], radius: 0.1, friction: 0.5 }] },
    parts: [{ name: "fin", at: [0, 0.1], gear: 1, stiffness: 10, damping: 1, armature: 0.1, capsules: fin }],
  };
  const env = planarTask({ id: "test/Brick-v0", body: { ...brick, time_step: 0.002 }, frame_skip: 5 });

  it("carries a body at rest, a little below its surface", () => {
    let state: State = [0, 0.05, 0, 0, 0, 0, 0, 0];
    for (let t = 0; t < 100; t++) state = stepLanes(env, [{ state, action: [0] }])[0]?.state as State;
    expect(state[1]).toBeLessThan(0);
    expect(state[1]).toBeGreaterThan(-0.002);
    for (const rate of state.slice(4)) expect(Math.abs(rate)).toBeLessThan(1e-3);
  });

  it("brakes a sliding body by its coefficient of friction", () => {
    let state: State = [0, -0.0005, 0, 0, 3, 0, 0, 0];
    for (let t = 0; t < 20; t++) state = stepLanes(env, [{ state, action: [0] }])[0]?.state as State;
    // 0.2 s of 0.5 g, with the first contacts still settling.
    expect(state[4]).toBeGreaterThan(3 - 0.5 * 9.81 * 0.2 * 1.15);
    expect(state[4]).toBeLessThan(3 - 0.5 * 9.81 * 0.2 * 0.85);
  });
});
