/** Door: users' environments, by name and in their sandboxes. */

export { environmentOfModule } from "./environmentOfModule.ts";
export { exportOf, makeEnvironment } from "./makeEnvironment.ts";
export { type OpenOptions, openUserEnvironment } from "./openUserEnvironment.ts";
export { SandboxedEnvironment, TIMEOUT_S } from "./SandboxedEnvironment.ts";
export { sandboxedLane } from "./sandboxedLane.ts";
export { sandboxedLanes } from "./sandboxedLanes.ts";
export {
  isHash,
  knownFault,
  knownUserEnvironment,
  namesModule,
  rememberFault,
  type UserEnvironment,
  type UserPlace,
} from "./userEnvironments.ts";
