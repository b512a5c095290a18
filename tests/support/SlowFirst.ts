/**
 * The order of test files: those that take longest first, so that at the end no single one keeps a core waiting. Those of
 * a project stand together, for they may share a process.
 */
import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { root } from "../../scripts/lib/environment.mjs";
import slowFiles from "./slowFiles.json" with { type: "json" };

/** Projects, in their order: Vitest ends a shared process when a file of another project comes next. */
const PROJECTS = ["unit-mocks", "unit-alone", "unit-platform", "unit-apart", "unit"];

const secondsOf: Readonly<Record<string, number>> = slowFiles;

const rank = ({ project }: TestSpecification): number => PROJECTS.indexOf(project.name);

const seconds = ({ moduleId }: TestSpecification): number => secondsOf[path.relative(root, moduleId)] ?? 0;

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return [...others].sort((a, b) => rank(a) - rank(b) || seconds(b) - seconds(a));
  }
}
