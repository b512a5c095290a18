/** What a fork by weights is, for its buttons. */
export const FORK_WEIGHTS = "A new run in which every member begins with these weights";
