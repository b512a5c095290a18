/** Tooltip of buttons that fork a run by weights. */
export const FORK_WEIGHTS = "Starts a new run in which every member begins with these weights";
