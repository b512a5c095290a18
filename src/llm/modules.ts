/** Door: users' modules: functions and rubrics. */
export { givenModule, keepGivenModule } from "./modules/GivenModule.ts";
export { type ModuleTask, objectFacts } from "./modules/moduleProtocol.ts";
export { TaskModule } from "./modules/TaskModule.ts";
export { type ModuleAnswer, type OpenModule, UserModules } from "./modules/UserModule.ts";
