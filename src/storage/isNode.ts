/** Whether this program runs in Node instead of a browser. */
export const isNode = (): boolean => typeof process !== "undefined" && process.versions?.node !== undefined;
