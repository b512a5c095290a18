/** A part that is loaded on demand: the drawings of all environments. */
export { drawEnvironment } from "../../rl/environments.ts";
