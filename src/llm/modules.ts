/** Door: users' modules: functions and rubrics. */
export { givenModule, keepGivenModule } from "./modules/GivenModule.ts";
export { type ModuleTask, objectFacts } from "./modules/moduleProtocol.ts";
export { TaskModule } from "./modules/TaskModule.ts";
export type { ModuleAnswer, OpenModule } from "./modules/UserModule.ts";
export { UserModules } from "./modules/UserModules.ts";
