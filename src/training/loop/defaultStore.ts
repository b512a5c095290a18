export { defaultStore } from "../../storage/files.ts";
