/** Keep runs on the disk: the file store that trainers use in Node. */

export { nodeFileStore } from "./nodeFileStore.ts";
