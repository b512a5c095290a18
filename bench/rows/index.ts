/** All benchmarks, in the order of the results page. */
import type { Row } from "../harness/Row.ts";
import { algorithmRows } from "./algorithmPopulation.ts";
import { convStep } from "./convStep.ts";
import { dqnPopulation } from "./dqnPopulation.ts";
import { dqnPopulationShipped } from "./dqnPopulationShipped.ts";
import { dqnStep } from "./dqnStep.ts";
import { dqnStepLayered } from "./dqnStepLayered.ts";
import { dqnStepTfjs } from "./dqnStepTfjs.ts";
import { dqnStepWebgpu } from "./dqnStepWebgpu.ts";
import { encodingWebgpu } from "./encodingWebgpu.ts";
import { gamesRandom } from "./gamesRandom.ts";
import { ippoPopulation } from "./ippoPopulation.ts";
import { lstmStep } from "./lstmStep.ts";
import { lunarLander } from "./lunarLander.ts";
import { maddpgStep } from "./maddpgStep.ts";
import { matmul } from "./matmul.ts";
import { memory } from "./memory.ts";
import { perturbedCopies } from "./perturbedCopies.ts";
import { perturbedCopiesWebgpu } from "./perturbedCopiesWebgpu.ts";
import { ppoPopulation } from "./ppoPopulation.ts";
import { ppoWebgpu } from "./ppoWebgpu.ts";
import { reemission } from "./reemission.ts";
import { td3Step } from "./td3Step.ts";
import { timeToSolve } from "./timeToSolve.ts";
import { trackers } from "./trackers.ts";
import { trackersMemory } from "./trackersMemory.ts";

export const rows: readonly Row[] = [
  dqnStep,
  dqnStepTfjs,
  dqnStepLayered,
  td3Step,
  maddpgStep,
  matmul,
  convStep,
  lstmStep,
  lunarLander,
  gamesRandom,
  perturbedCopies,
  dqnPopulation,
  dqnPopulationShipped,
  ppoPopulation,
  ippoPopulation,
  ...algorithmRows,
  timeToSolve,
  reemission,
  memory,
  trackers,
  trackersMemory,
  dqnStepWebgpu,
  ppoWebgpu,
  perturbedCopiesWebgpu,
  encodingWebgpu,
];

/** @throws RangeError listing the valid names. */
export function findRow(name: string): Row {
  const row = rows.find((r) => r.name === name);
  if (row) return row;
  throw new RangeError(`no row "${name}"; there are ${rows.map((r) => r.name).join(", ")}`);
}
