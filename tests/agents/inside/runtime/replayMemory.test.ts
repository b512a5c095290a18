import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { advance } from "../../../../src/agents/buffers/replayRows.ts";
import { DeviceReplay, type Segment, visiblePart } from "../../../../src/agents/members.ts";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import { cast, state, trace } from "../../../../src/kernels/index.ts";
import { drawUniformly, PLAIN_MEMORY, takeTransitions } from "../../../../src/rl/programs.ts";
import { Box, Discrete } from "../../../../src/rl/spaces.ts";

/** `length` positions of a ring from `start` on. */
const places = (start: number, length: number, size: number): number[] =>
  Array.from({ length }, (_, i) => (start + i) % size);

const held = ({ position, count }: Segment, size: number): number[] =>
  places(position - count + size, count, size);

/** A ring in a state that writing can reach. */
const ring = fc.integer({ min: 1, max: 12 }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    writes: fc.array(fc.nat(2 * size), { maxLength: 6 }),
    coming: fc.nat(3 * size),
  }),
);

describe("rings", () => {
  it("hold the last transitions after any writes", () => {
    fc.assert(
      fc.property(ring, ({ size, writes }) => {
        const contents = new Array<number>(size).fill(-1);
        let segment: Segment = { position: 0, count: 0 };
        let written = 0;
        for (const n of writes) {
          for (let i = 0; i < n; i++) contents[(segment.position + i) % size] = written++;
          segment = advance(segment, size, n);
        }
        const kept = Math.min(written, size);
        expect(held(segment, size).map((place) => contents[place])).toEqual(
          Array.from({ length: kept }, (_, i) => written - kept + i),
        );
      }),
    );
  });

  it("show others all that they hold but what the owner may overwrite", () => {
    fc.assert(
      fc.property(ring, ({ size, writes, coming }) => {
        const segment = writes.reduce<Segment>((s, n) => advance(s, size, n), { position: 0, count: 0 });
        const { start, length } = visiblePart(segment, size, coming);
        const visible = places(start, length, size);
        const threatened = new Set(places(segment.position, Math.min(coming, size), size));
        const expected = held(segment, size).filter((place) => !threatened.has(place));
        expect([...visible].sort((a, b) => a - b)).toEqual([...expected].sort((a, b) => a - b));
      }),
    );
  });
});

const layout = { observation_space: new Box({ low: -1e9, high: 1e9 }), action_space: new Discrete(1e6) };
const BATCH = 4000;

/** Draws batches from a replay buffer in which every field contains its position. */
function sampler() {
  const device = new WasmDevice();
  const program = trace("sample", () => {
    const drawn = drawUniformly(state("step", [], { dtype: "i32" }).read());
    const { obs, next_obs, action, reward, done } = takeTransitions(layout, drawn, PLAIN_MEMORY);
    for (const [name, x] of Object.entries({ obs, next_obs, action: cast(action, "f32"), reward, done }))
      state(`out.${name}`, x.shape).write(x);
  });
  return (
    {
      slot,
      rings,
      size,
      visible,
      step,
    }: {
      slot: number;
      rings: readonly Segment[];
      size: number;
      visible: readonly { start: number; length: number }[];
      step: number;
    },
    batch = BATCH,
  ): number[] => {
    const population = rings.length;
    const replay = new DeviceReplay(device, layout, population, size);
    const sizes = { num_envs: 1, batch, population, capacity: population * size };
    const arena = device.arena(program.states.values(), sizes, replay.arena);
    const bound = device.compile(program).bind(arena);
    const numbers = Array.from({ length: population * size }, (_, i) => i);
    for (const field of ["obs", "next_obs", "action", "reward", "done"])
      replay.arena.write(`replay.${field}`, numbers);
    const own = rings[slot] as Segment;
    const inputs = {
      "ring.slot": slot,
      "ring.segment": size,
      "ring.position": own.position,
      "ring.count": own.count,
      step,
    };
    for (const [name, value] of Object.entries(inputs)) arena.write(name, [value]);
    arena.write("key.0", [123]);
    arena.write("key.1", [456]);
    arena.write(
      "visible.start",
      visible.map((v) => v.start),
    );
    arena.write(
      "visible.length",
      visible.map((v) => v.length),
    );
    bound.run();
    const drawn = Array.from(arena.read("out.obs"));
    for (const field of ["next_obs", "action", "reward", "done"])
      expect(Array.from(arena.read(`out.${field}`))).toEqual(drawn);
    bound.release();
    arena.release();
    replay.release();
    return drawn;
  };
}

/** Positions of all segments that a member may draw. */
const drawable = (
  slot: number,
  rings: readonly Segment[],
  visible: readonly { start: number; length: number }[],
  size: number,
): number[] =>
  rings.flatMap((own, other) => {
    const { start, length } = visible[other] as { start: number; length: number };
    const within = other === slot ? held(own, size) : places(start, length, size);
    return within.map((place) => other * size + place);
  });

describe("sampling", () => {
  const draw = sampler();
  const members = fc.integer({ min: 1, max: 9 }).chain((size) =>
    fc.integer({ min: 1, max: 5 }).chain((population) =>
      fc.record({
        size: fc.constant(size),
        slot: fc.nat(population - 1),
        step: fc.nat(1000),
        coming: fc.nat(2 * size),
        written: fc.array(fc.nat(3 * size), { minLength: population, maxLength: population }),
      }),
    ),
  );

  it("takes nothing but a member's own transitions and those no owner may overwrite, and all of them", () => {
    fc.assert(
      fc.property(members, ({ size, slot, step, coming, written }) => {
        const rings = written.map((n) => advance({ position: 0, count: 0 }, size, n));
        const visible = rings.map((r) => visiblePart(r, size, coming));
        const allowed = drawable(slot, rings, visible, size);
        fc.pre(allowed.length > 0);
        const drawn = new Set(draw({ slot, rings, size, visible, step }));
        expect([...drawn].sort((a, b) => a - b)).toEqual([...allowed].sort((a, b) => a - b));
      }),
      { numRuns: 60 },
    );
  });

  it("takes each of them as often", () => {
    const size = 8;
    const rings = [13, 5, 0, 20].map((n) => advance({ position: 0, count: 0 }, size, n));
    const visible = rings.map((r) => visiblePart(r, size, 3));
    for (const slot of [0, 1, 3]) {
      const allowed = drawable(slot, rings, visible, size);
      const counts = new Map(allowed.map((place) => [place, 0]));
      for (let step = 0; step < 5; step++)
        for (const place of draw({ slot, rings, size, visible, step }))
          counts.set(place, (counts.get(place) ?? 0) + 1);
      const expected = (5 * BATCH) / allowed.length;
      const chi = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
      // The mean is the degrees of freedom d, and the standard deviation sqrt(2 d). The bound is four
      // deviations above.
      const freedom = allowed.length - 1;
      expect(chi).toBeLessThan(freedom + 4 * Math.sqrt(2 * freedom));
    }
  });
});

describe("the memory of a device", () => {
  it("gives back the rows that were put in, around the ring, and touches no others", () => {
    const device = new WasmDevice();
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 4 }),
        fc.nat(),
        fc.nat(),
        fc.nat(),
        (size, population, a, b, c) => {
          const replay = new DeviceReplay(device, layout, population, size);
          const [slot, start, count] = [a % population, b % size, c % (size + 1)];
          const numbers = Float32Array.from({ length: count }, (_, i) => i + 1);
          const action = Int32Array.from(numbers);
          const rows = {
            obs: numbers,
            next_obs: numbers,
            action,
            reward: numbers,
            done: numbers,
            ended: numbers,
          };
          replay.write(slot, start, count, rows);
          expect(replay.read(slot, start, count)).toEqual(rows);
          const touched = Array.from(replay.arena.read("replay.action")).flatMap((x, i) =>
            x === 0 ? [] : [i],
          );
          const expected = places(start, count, size).map((place) => slot * size + place);
          expect(touched).toEqual([...expected].sort((x, y) => x - y));
          replay.release();
        },
      ),
    );
  });
});
