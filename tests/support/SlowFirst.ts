/**
 * The order of test files: those that take longest first, so that at the end no single one keeps a core waiting. Those of
 * a project stand together, for they may share a process.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files of about a sixth of a minute of processor time or more, longest first: software WebGPU, and whole runs in processes
 * and workers. Those that mostly wait for processes of their own stand between those that compute.
 */
const SLOW = [
  "platform/nodes",
  "programs/slicedOffPolicy",
  "kernels/operations",
  "platform/redis",
  "programs/slicedOnPolicy",
  "platform/rewardFiles",
  "algorithms/teamProbes",
  "platform/takeover",
  "training/inside/gpuExecutor",
  "platform/serve",
  "kernels/programs",
  "training/determinism",
  "platform/webgpu",
  "algorithms/offPolicyProbes",
  "training/gpuProbes",
  "training/inside/languageModels",
  "programs/devices",
  "training/resume",
] as const;

/** Projects, in their order: Vitest ends a shared process when a file of another project comes next. */
const PROJECTS = ["unit-mocks", "unit-alone", "unit-apart", "unit"];

const rank = ({ moduleId, project }: TestSpecification): number => {
  const at = SLOW.findIndex((name) => moduleId.includes(`/${name}.`));
  return PROJECTS.indexOf(project.name) * (SLOW.length + 1) + (at < 0 ? SLOW.length : at);
};

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return [...others].sort((a, b) => rank(a) - rank(b));
  }
}
