/** How many workgroups a device runs at once: more take longer, fewer leave it partly idle. */
import {
  type Dim,
  dimValue,
  mul,
  reshape,
  scan,
  state,
  sym,
  type Tensor,
  takeRows,
  trace,
} from "../index.ts";
import type { WebGpuDevice } from "./device.ts";

/** Counts to try; far apart, so that noise hardly affects the result. */
const COUNTS = [1, 4, 16, 64, 256] as const;
const MOST = 256;
/** Number of measurements of each count. */
const TRIES = 3;
/** Minimum computing time of one workgroup: much longer than submitting it takes. */
const ALONE_MS = 4;
const MOST_ROUNDS = 2 ** 17;

/**
 * The largest count of 1, 4, 16, 64 and 256 whose workgroups take at most twice as long together as one alone.
 * @param time Returns the milliseconds that a number of workgroups takes.
 */
export async function largestAtOnce(time: (workgroups: number) => Promise<number>): Promise<number> {
  const median = async (workgroups: number): Promise<number> => {
    const times: number[] = [];
    for (let i = 0; i < TRIES; i++) times.push(await time(workgroups));
    return times.sort((a, b) => a - b)[TRIES >> 1] as number;
  };
  const alone = await median(1);
  let most = 1;
  for (const count of COUNTS.slice(1)) {
    if ((await median(count)) > 2 * alone) break;
    most = count;
  }
  return most;
}

/** Elements and multiplications per round. */
const WIDTH = 1024;
const PRODUCTS = 32;

/** Each part multiplies its own row for `rounds` rounds. */
const product = () => {
  const part: Dim = sym("part");
  return trace("busyWorkgroups", () => {
    const rows = state("rows", [MOST, WIDTH]);
    const own = reshape(dimValue(part, "i32"), [1]);
    const { carry } = scan(
      { count: state("rounds", [], { dtype: "i32" }).read(), carry: [takeRows(rows.read(), own)] },
      ([values]) => {
        let result = values as Tensor;
        for (let i = 0; i < PRODUCTS; i++) result = mul(result, 1 + (i % 2 === 0 ? 2 ** -20 : -(2 ** -20)));
        return { carry: [result] };
      },
    );
    rows.writeRows(own, carry[0] as Tensor);
  });
};

async function measure(device: WebGpuDevice): Promise<number> {
  const program = product();
  const executable = await device.compile(program);
  const arena = device.arena(program.states.values(), {});
  arena.write("rows", new Float32Array(MOST * WIDTH).fill(1));
  const parts = Array.from({ length: MOST }, (_, part) => executable.bind(arena, { part }));
  const cohorts = new Map(COUNTS.map((count) => [count as number, device.cohort(parts.slice(0, count))]));
  try {
    const time = async (workgroups: number): Promise<number> => {
      await device.idle();
      const start = performance.now();
      cohorts.get(workgroups)?.run();
      await device.idle();
      return performance.now() - start;
    };
    for (let rounds = 64; rounds <= MOST_ROUNDS; rounds *= 2) {
      arena.write("rounds", [rounds]);
      if ((await time(1)) >= ALONE_MS) break;
    }
    return await largestAtOnce(time);
  } finally {
    for (const cohort of cohorts.values()) cohort.release();
    for (const part of parts) part.release();
    arena.release();
  }
}

const known = new WeakMap<WebGpuDevice, Promise<number>>();

/**
 * The number of workgroups the device runs at once, measured once; 1 for software, with the CPU's few cores.
 * @throws Error when the device fails.
 */
export async function busyWorkgroups(device: WebGpuDevice): Promise<number> {
  if (device.isSoftware) return 1;
  const found = known.get(device) ?? measure(device);
  known.set(device, found);
  return found;
}
