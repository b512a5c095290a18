export { defaultStore } from "../../storage/defaultStore.ts";
