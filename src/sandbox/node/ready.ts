/** Message that a child process sends once it listens. Its start-up does not count towards any deadline. */
export const READY = "ready";
