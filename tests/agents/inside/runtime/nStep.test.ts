import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DeviceReplay } from "../../../../src/agents/members.ts";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import { state, trace } from "../../../../src/kernels/index.ts";
import { takeTransitions } from "../../../../src/rl/programs.ts";
import { Box, Discrete } from "../../../../src/rl/spaces.ts";

const layout = { observation_space: new Box({ low: -1e9, high: 1e9 }), action_space: new Discrete(2) };
const device = new WasmDevice();

interface Row {
  readonly reward: number;
  readonly done: number;
  readonly ended: number;
}

interface Case {
  readonly rows: readonly Row[];
  readonly lanes: number;
  readonly n_step: number;
  readonly gamma: number;
  /** Position of the oldest row in the ring, and the number of rows. */
  readonly start: number;
  readonly held: number;
}

/** The replay buffer's transition for each stored row, oldest first. */
function taken({ rows, lanes, n_step, gamma, start, held }: Case) {
  const size = rows.length;
  const kind = { n_step, prioritized: false };
  const program = trace("take", () => {
    const integers = (name: string) => state(name, [held], { dtype: "i32" }).read();
    const drawn = { index: integers("index"), owner: integers("owner"), following: integers("following") };
    const { reward, next_obs, done, discount } = takeTransitions(layout, drawn, kind);
    for (const [name, x] of Object.entries({ reward, next_obs, done, discount }))
      state(`out.${name}`, x.shape).write(x);
  });
  const replay = new DeviceReplay(device, layout, 1, size, kind);
  const arena = device.arena(program.states.values(), { num_envs: lanes, capacity: size }, replay.arena);
  const bound = device.compile(program).bind(arena);
  for (const field of ["reward", "done", "ended"] as const)
    replay.arena.write(
      `replay.${field}`,
      rows.map((row) => row[field]),
    );
  replay.arena.write(
    "replay.next_obs",
    rows.map((_row, place) => place),
  );
  arena.write("hp.gamma", [gamma]);
  arena.write("ring.segment", [size]);
  const order = Array.from({ length: held }, (_, i) => (start + i) % size);
  arena.write("index", order);
  arena.write("owner", new Int32Array(held));
  arena.write(
    "following",
    order.map((_place, i) => held - 1 - i),
  );
  bound.run();
  const out = (name: string) => [...arena.read(`out.${name}`)];
  const result = {
    reward: out("reward"),
    next_obs: out("next_obs"),
    done: out("done"),
    discount: out("discount"),
  };
  for (const thing of [bound, arena, replay]) thing.release();
  return result;
}

/** The same by definition, following each lane. */
function expected({ rows, lanes, n_step, gamma, start, held }: Case) {
  const size = rows.length;
  return Array.from({ length: held }, (_, i) => {
    let reward = 0;
    let discount = 1;
    let at = i;
    for (let k = 0; ; k++) {
      at = i + k * lanes;
      const row = rows[(start + at) % size] as Row;
      reward += discount * row.reward;
      discount *= gamma;
      if (k === n_step - 1 || row.ended === 1 || at + lanes >= held) break;
    }
    const place = (start + at) % size;
    return { reward, discount, next_obs: place, done: (rows[place] as Row).done };
  });
}

describe("transitions over several steps", () => {
  it("gives the hand-worked returns of two lanes", () => {
    const step = (reward: number, done = 0, ended = done): Row => ({ reward, done, ended });
    // Lane 0: 1, 2 (terminated), 3. Lane 1: 10, 20, 30 (truncated).
    const rows = [step(1), step(10), step(2, 1), step(20), step(3), step(30, 0, 1)];
    const found = taken({ rows, lanes: 2, n_step: 3, gamma: 0.5, start: 0, held: 6 });
    // [1 + .5 * 2, 10 + 10 + 7.5, 2 (ended), 20 + 15, 3 (nothing newer), 30]
    expect(found.reward).toEqual([2, 27.5, 2, 35, 3, 30]);
    expect(found.discount).toEqual([0.25, 0.125, 0.5, 0.25, 0.5, 0.5]);
    expect(found.next_obs).toEqual([2, 5, 2, 5, 4, 5]);
    expect(found.done).toEqual([1, 0, 1, 0, 0, 0]);
  });

  it("agrees with a walk along each lane, around the ring", () => {
    const row = fc
      .record({ reward: fc.integer({ min: -9, max: 9 }), end: fc.constantFrom("no", "no", "done", "cut") })
      .map(({ reward, end }) => ({ reward, done: Number(end === "done"), ended: Number(end !== "no") }));
    const cases = fc
      .record({
        lanes: fc.integer({ min: 1, max: 3 }),
        steps: fc.integer({ min: 1, max: 8 }),
        n_step: fc.integer({ min: 2, max: 5 }),
        gamma: fc.constantFrom(0.5, 0.75, 1),
        start: fc.nat(100),
        held: fc.nat(100),
        spare: fc.nat(2),
        all: fc.array(row, { minLength: 26, maxLength: 26 }),
      })
      .map(({ lanes, steps, n_step, gamma, start, held, spare, all }): Case => {
        const rows = all.slice(0, lanes * steps + spare);
        const size = rows.length;
        return { rows, lanes, n_step, gamma, start: start % size, held: 1 + (held % size) };
      });
    fc.assert(
      fc.property(cases, (given) => {
        const found = taken(given);
        expected(given).forEach((row, i) => {
          expect(found.reward[i]).toBeCloseTo(row.reward, 4);
          expect(found.discount[i]).toBeCloseTo(row.discount, 6);
          expect(found.next_obs[i]).toBe(row.next_obs);
          expect(found.done[i]).toBe(row.done);
        });
      }),
      { numRuns: 60 },
    );
  });
});
