/**
 * Events of the training loop. They are defined in tracking, which training may import but not the reverse.
 */
export * from "../../tracking/observer.ts";
