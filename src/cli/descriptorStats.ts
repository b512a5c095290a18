/**
 * The state of an open file descriptor.
 *
 * On Node 20.20.2, `fstatSync(1)` on a pipe has a side effect: `import` no longer resolves symbolic links. A
 * module loaded through one (npm link, pnpm, workspaces) is then loaded a second time, and what it registers
 * is not found. With `bigint: true` this does not happen. Delete this file when
 * `tests/cli/descriptorStats.test.ts` passes with a plain `fstatSync`.
 */
import { type BigIntStats, fstatSync } from "node:fs";

export const descriptorStats = (descriptor: number): BigIntStats => fstatSync(descriptor, { bigint: true });
