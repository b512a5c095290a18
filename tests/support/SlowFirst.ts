/**
 * The order of test files: those that take longest first, so that at the end no single one keeps a core waiting. Those that
 * share a process stand together, last: Vitest ends it when a file of another kind comes next.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files of about half a minute of processor time or more, longest first: software WebGPU, and whole runs in processes and workers. */
const SLOW = [
  "programs/slicedOffPolicy",
  "platform/nodes",
  "cli/train",
  "programs/slicedOnPolicy",
  "kernels/operations",
  "cli/process",
  "training/gpuExecutor",
  "training/determinism",
  "training/gpuProbes",
  "kernels/programs",
  "training/resume",
  "programs/devices",
  "runtime/policyToOnnx",
] as const;

const rank = ({ moduleId, project }: TestSpecification): number => {
  const at = SLOW.findIndex((name) => moduleId.includes(`/${name}.`));
  if (at >= 0) return at;
  return project.config.isolate ? SLOW.length : SLOW.length + 1;
};

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return [...others].sort((a, b) => rank(a) - rank(b));
  }
}
