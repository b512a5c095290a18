/** What a training loop tells the world; defined in tracking, which training may import and not the reverse. */
export * from "../../tracking/observer.ts";
