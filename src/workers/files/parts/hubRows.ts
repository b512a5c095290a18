/** A part that is loaded on demand: a door that is also imported statically would not be a chunk of its own. */
export { fetchHubNeeds, missingHubRows } from "../../../training/workloads.ts";
