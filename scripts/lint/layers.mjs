/**
 * The one direction of imports between the folders of src (docs/architecture.md).
 * A folder may import itself and the folders listed for it; what is not listed is refused.
 */
const mathematics = ["specs", "kernels"];
const agents = [...mathematics, "evolution", "rl"];
const models = [...mathematics, "evolution", "llm"];
const learners = [...new Set([...agents, ...models])];
const training = [...learners, "storage", "tracking", "training"];

/** @type {Readonly<Record<string, readonly string[]>>} */
export const allowedImports = {
  specs: [],
  kernels: [],
  evolution: mathematics,
  rl: [...mathematics, "evolution"],
  llm: [...mathematics, "evolution"],
  storage: learners,
  tracking: [...learners, "storage"],
  training: [...learners, "storage", "tracking"],
  workers: training,
  cli: [...training, "workers"],
  platform: [...training, "workers"],
  ui: [...training, "workers"],
  index: [...training, "workers"],
};
