/** Door: the Hugging Face hub: what its repositories have, downloads, and the cache. */
export type { CachedRepository } from "./cache.ts";
/** @internal */
export { cachedRepository, listCached, removeCached } from "./cache.ts";
export type { DownloadEvent } from "./download.ts";
/** @internal */
export { download } from "./download.ts";
export type { FetchOptions } from "./fetchRepository.ts";
/** @internal */
export { fetchRepository } from "./fetchRepository.ts";
export type { HubFile, HubListing, HubOptions } from "./listing.ts";
/** @internal */
export { listRepository, type RepositoryListing, readHubText, withFiles } from "./listing.ts";
/** @internal */
export { RemoteFile } from "./RemoteFile.ts";
/** @internal */
export { HubError, hubAddress, hubIdOf } from "./repository.ts";
