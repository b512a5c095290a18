/** Door: users' environments, by name and in their sandboxes. */

export { exportOf, makeEnvironment } from "./makeEnvironment.ts";
export { type OpenOptions, openUserEnvironment } from "./openUserEnvironment.ts";
export { environmentOfModule, type OpenedModule, openedModule } from "./rememberModule.ts";
export { asRegistered, robotId } from "./robots.ts";
export { SandboxedEnvironment, type SandboxedOptions, TIMEOUT_S } from "./SandboxedEnvironment.ts";
export { sandboxedLane, sandboxedLanes } from "./sandboxedLane.ts";
export * from "./userEnvironments.ts";
