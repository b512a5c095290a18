/** The order of test files: those that take longest first, so that at the end no single one keeps a core waiting. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files of more than half a minute, longest first: software WebGPU, and whole runs in processes and workers. */
const SLOW = [
  "kernels/operations",
  "training/gpuExecutor",
  "programs/devices",
  "cli/process",
  "programs/slicedOffPolicy",
  "training/resume",
  "workers/coordinator",
  "training/faultyEnvironments",
  "kernels/programs",
  "training/determinism",
  "training/gpuProbes",
  "runtime/policyToOnnx",
  "workers/workerExecutor",
  "training/envConfig",
] as const;

const rank = ({ moduleId }: TestSpecification): number => {
  const at = SLOW.findIndex((name) => moduleId.includes(`/${name}.`));
  return at < 0 ? SLOW.length : at;
};

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return [...others].sort((a, b) => rank(a) - rank(b));
  }
}
