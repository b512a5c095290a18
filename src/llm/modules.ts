/** Door: users' modules: functions and rubrics. */
export { givenModule, keepGivenModule } from "./modules/GivenModule.ts";
export { type ModuleTask, objectFacts } from "./modules/moduleProtocol.ts";
export { type ModuleAnswer, type OpenModule, TaskModule, UserModules } from "./modules/UserModule.ts";
