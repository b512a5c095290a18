import { expect, it } from "vitest";
import { SharedReading } from "../../../src/training/workloads/SharedReading.ts";

/** Numbers 0 to 3, how often they were read, and how far. */
function numbers() {
  const told = { readings: 0, read: 0, closed: 0 };
  const shared = new SharedReading(async function* () {
    told.readings++;
    try {
      for (let i = 0; i < 4; i++) {
        told.read++;
        yield i;
      }
    } finally {
      told.closed++;
    }
  });
  return { shared, told };
}

async function all(parts: AsyncIterable<number>): Promise<number[]> {
  const found: number[] = [];
  for await (const part of parts) found.push(part);
  return found;
}

/** Lets everything happen that waits for nothing else. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

it("is read once for all who join before it begins, and again for who joins later", async () => {
  const { shared, told } = numbers();
  const readers = [shared.join(), shared.join()];
  expect(await Promise.all(readers.map(all))).toEqual([
    [0, 1, 2, 3],
    [0, 1, 2, 3],
  ]);
  expect(told).toEqual({ readings: 1, read: 4, closed: 1 });
  expect(await all(shared.join())).toEqual([0, 1, 2, 3]);
  expect(told.readings).toBe(2);
});

it("reads no further than the slowest has come", async () => {
  const { shared, told } = numbers();
  const [fast, slow] = [shared.join(), shared.join()];
  const found = all(fast);
  await settled();
  expect(told.read).toBe(0);
  const parts = slow[Symbol.asyncIterator]();
  expect(await parts.next()).toEqual({ done: false, value: 0 });
  await settled();
  expect(told.read).toBe(1);
  await parts.return?.();
  expect(await found).toEqual([0, 1, 2, 3]);
});

it("is left where nobody reads any more", async () => {
  const { shared, told } = numbers();
  for await (const part of shared.join()) if (part === 1) break;
  expect(told).toEqual({ readings: 1, read: 2, closed: 1 });
});

it("fails for all", async () => {
  const shared = new SharedReading<number>(async function* () {
    yield 1;
    throw new Error("the file is gone");
  });
  const readers = [shared.join(), shared.join()];
  const found = await Promise.allSettled(readers.map(all));
  expect(found.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(all(shared.join())).rejects.toThrow("the file is gone");
});
