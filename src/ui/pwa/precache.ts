/** The files that the service worker caches. */
export interface Precache {
  /** Changes whenever the files change. */
  readonly version: string;
  /** URLs relative to the site's root. */
  readonly files: readonly string[];
}
