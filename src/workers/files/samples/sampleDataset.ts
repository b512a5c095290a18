/** Small data sets that are made here, from a seed, to try a kind of training without data of one's own. */

import { ROWS_FILE } from "../../../datasets/kept.ts";
import { minariFiles, recordEpisodes } from "../../../datasets/record.ts";
import { Random } from "../../../evolution/random.ts";
import { make } from "../../../rl/environments.ts";
import { TABLE_FILES } from "../../../training/plan.ts";
import type { SampleId } from "../../protocol/data.ts";
import { type CheckedDataset, checkedDataset } from "../checkedDataset.ts";

const SEED = 1;

const textFile = (name: string, text: string) => ({ name, content: new Blob([text]) });

/** Steps of the rule in CartPole, and the share of its actions that are random. Without those, it balances the pole. */
const [STEPS, EPSILON] = [10_000, 0.4] as const;

/** A rule's steps in CartPole: it pushes the cart towards the side that the pole leans to. */
async function cartPole(name: string): Promise<CheckedDataset> {
  const env = make("CartPole-v1");
  const recording = await recordEpisodes({
    env,
    environment: "CartPole-v1",
    actor: {
      getAction: ([, , angle = 0, speed = 0]: ArrayLike<number> & Iterable<number>) =>
        angle + speed > 0 ? 1 : 0,
    },
    algorithm: `a rule, epsilon ${EPSILON}`,
    steps: STEPS,
    epsilon: EPSILON,
    seed: SEED,
  }).finally(() => env.close());
  const files = Object.entries(await minariFiles(recording, { dataset_id: name }));
  return checkedDataset(
    name,
    files.map(([file, bytes]) => ({ name: file, content: new Blob([new Uint8Array(bytes)]) })),
  );
}

/** Rings around the middle: their inner and outer radius. Between them is room. */
const RINGS = [
  ["inner", 0, 0.7],
  ["middle", 0.9, 1.5],
  ["outer", 1.7, 2.3],
] as const;
const [RING_ROWS, WIDEST] = [240, 2.3] as const;

/** A table for bandits: points on three rings, which no straight line tells apart. */
function rings(name: string): Promise<CheckedDataset> {
  const random = new Random({ seed: SEED, stream: "rings" });
  const coordinate = (): number => WIDEST * (2 * random.uniform() - 1);
  const rows: (readonly [point: string, ring: string])[] = [];
  while (rows.length < RING_ROWS) {
    const [x, y] = [coordinate(), coordinate()];
    const far = x * x + y * y;
    const ring = RINGS.find(([, from, to]) => far >= from * from && far < to * to);
    if (ring) rows.push([`${x.toFixed(4)},${y.toFixed(4)}`, ring[0]]);
  }
  const [features, targets] = TABLE_FILES;
  return checkedDataset(name, [
    textFile(features, ["x,y", ...rows.map(([point]) => point)].join("\n")),
    textFile(targets, ["ring", ...rows.map(([, ring]) => ring)].join("\n")),
  ]);
}

const PEOPLE = ["Ada", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gia", "Hal"];
const THINGS = ["a cup", "a map", "a pen", "a hat", "a key", "a bag", "a kite", "a drum"];
const PLACES = ["on the desk", "by the door", "in the box", "under the bed"];
const CHATS = 512;

/** Short chats: somebody asks for a thing, and is told where it is. The answer follows from the question alone. */
function chats(name: string): Promise<CheckedDataset> {
  const random = new Random({ seed: SEED, stream: "chats" });
  const one = <T>(of: readonly T[]): number => random.integer(of.length);
  const lines = Array.from({ length: CHATS }, () => {
    const [person, thing] = [one(PEOPLE), one(THINGS)];
    const [who, what, where] = [PEOPLE[person], THINGS[thing], PLACES[thing % PLACES.length]];
    return JSON.stringify({ prompt: `${who}: I need ${what}.\nYou: `, response: `${who}, it is ${where}.` });
  });
  return checkedDataset(name, [textFile(ROWS_FILE, `${lines.join("\n")}\n`)]);
}

const MAKERS: Readonly<
  Record<SampleId, readonly [name: string, make: (name: string) => Promise<CheckedDataset>]>
> = {
  cartpole: ["cartpole/rule-v0", cartPole],
  rings: ["rings", rings],
  chats: ["chats", chats],
};

/** The sample of an id; always the same bytes. */
export async function sampleDataset(id: SampleId): Promise<CheckedDataset> {
  const [name, make] = MAKERS[id];
  const { dataset, files } = await make(name);
  return { dataset: { ...dataset, origin: "made" }, files };
}
