/** What requests to the platform need. */
export interface RemoteHttpOptions {
  /** Address that paths are put behind, without a slash at its end. */
  readonly base_url: string;
  /** Null for none: every request is refused then, before it is sent. */
  readonly api_key: string | null;
  /** Seconds. */
  readonly request_timeout: number;
  /** Seconds. */
  readonly upload_timeout: number;
}
