/** Door: users' modules: functions and rubrics. */
export { givenModule, keepGivenModule } from "./modules/GivenModule.ts";
export { ModuleTasks } from "./modules/ModuleTasks.ts";
export { moduleObject } from "./modules/moduleObject.ts";
export { type ModuleTask, objectFacts } from "./modules/moduleProtocol.ts";
export type { ModuleAnswer, ModuleObject, OpenModule, UserModule } from "./modules/UserModule.ts";
export { UserModules } from "./modules/UserModules.ts";
