/** What a child process says when it listens: its start is no part of any deadline. */
export const READY = "ready";
