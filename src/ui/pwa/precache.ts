/** What the service worker keeps. */
export interface Precache {
  /** Another one for other files. */
  readonly version: string;
  /** Addresses relative to the site's root. */
  readonly files: readonly string[];
}
