/** Door: manifests that rlkit brings. */

export { ppoCartPole } from "./templates/ppoCartPole.ts";
export type { Template } from "./templates/Template.ts";
export { templates } from "./templates/templates.ts";
