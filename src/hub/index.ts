/** Door: the Hugging Face hub: what its repositories have, downloads, and the cache. */
export {
  type CachedRepository,
  cacheDirectory,
  cachedRepository,
  listCached,
  removeCached,
} from "./cache.ts";
export { type DownloadEvent, download } from "./download.ts";
export { type FetchOptions, fetchRepository, type HubProgress } from "./fetchRepository.ts";
export {
  type HubFile,
  type HubListing,
  type HubOptions,
  listRepository,
  type RepositoryListing,
  readHubText,
  withFiles,
} from "./listing.ts";
export { RemoteFile } from "./RemoteFile.ts";
export { HubError, type HubKind, hubAddress, hubIdOf } from "./repository.ts";
