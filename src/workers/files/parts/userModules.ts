/** A part that is loaded on demand: a door that is also imported statically would not be a chunk of its own. */
export { openUserEnvironment, TIMEOUT_S } from "../../../sandbox/environments.ts";
export { prepareModule, rememberModule } from "../../../sandbox/modules.ts";
