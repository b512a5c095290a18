/** Settings of the HTTP requests to the platform. */
export interface RemoteHttpOptions {
  /** Address that paths are appended to, without a trailing slash. */
  readonly base_url: string;
  /** `null` for no key; then every request is rejected before it is sent. */
  readonly api_key: string | null;
  /** In seconds. */
  readonly request_timeout: number;
  /** In seconds. */
  readonly upload_timeout: number;
}
