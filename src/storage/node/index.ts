export { nodeFileStore } from "./nodeFileStore.ts";
