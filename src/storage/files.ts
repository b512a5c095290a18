/** Door: paths, errors, hashes, CSV and the default store. */
export { parseCsv, plainText } from "./csv.ts";
export { defaultStore } from "./defaultStore.ts";
export { alone, isNode, serialiser } from "./fileStore.ts";
export * from "./paths.ts";
export { sizeOfTree } from "./runLayout.ts";
export { fromHalfFloats, toHalfFloats } from "./safetensorsFloats.ts";
export { sha256Hasher, sha256Hex, sha256HexNow } from "./sha256.ts";
export { codeOf, isStorageError, reasonOf, storageFull, storageLocked } from "./storageError.ts";
