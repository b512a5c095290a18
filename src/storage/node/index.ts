/** Files on the disk: the file store for Node. */

export { nodeFileStore } from "./nodeFileStore.ts";
