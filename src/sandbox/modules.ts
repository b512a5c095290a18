/** Door: users' modules: sources, checks, open modules. */

export { prepareModule, type UserModule } from "./moduleSource.ts";
export { rememberModule } from "./rememberModule.ts";
export * from "./robotSource.ts";
export { SandboxedModule } from "./SandboxedModule.ts";
export { moduleFindings } from "./validateModule.ts";
