/** Whether this program runs in Node, and not in a browser. */
export const isNode = (): boolean => typeof process !== "undefined" && process.versions?.node !== undefined;
