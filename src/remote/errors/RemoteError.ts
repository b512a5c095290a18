/** Errors thrown by the client of the remote platform. */

/**
 * Base class of all errors of the remote platform's client.
 *
 * @example
 * ```ts
 * const client = new RemoteClient();
 * await client.listProjects().catch((error: unknown) => {
 *   if (error instanceof RemoteError) console.error(error.message);
 * });
 * ```
 */
export class RemoteError extends Error {
  override readonly name: string = "RemoteError";
}

/**
 * Thrown for a missing or invalid setting, such as the project of `listExperiments`. Nothing was sent.
 *
 * @example
 * ```ts
 * try {
 *   new RemoteClient({ base_url: "platform.local" });
 * } catch (error) {
 *   console.log(error instanceof RemoteConfigError); // true
 * }
 * ```
 */
export class RemoteConfigError extends RemoteError {
  override readonly name = "RemoteConfigError";
}

/**
 * Thrown if a file to send does not exist. Nothing was sent.
 *
 * @example
 * ```ts
 * const trainer = new RemoteTrainer({ algorithm: "DQN", environment: "CartPole-v1" });
 * await trainer.train({ reward_file: "reward.js" }).catch((error: unknown) => {
 *   console.log(error instanceof RemoteFileNotFoundError);
 * });
 * ```
 */
export class RemoteFileNotFoundError extends RemoteError {
  override readonly name = "RemoteFileNotFoundError";
}

/**
 * Thrown if the key is missing, is not valid in a header, or is rejected by the platform (401).
 *
 * @example
 * ```ts
 * const client = new RemoteClient({ api_key: "rk_mine_secret" });
 * await client.currentUser().catch((error: unknown) => {
 *   console.log(error instanceof RemoteAuthError);
 * });
 * ```
 */
export class RemoteAuthError extends RemoteError {
  override readonly name = "RemoteAuthError";
}

/** Details of an error response. */
export interface ApiErrorFacts {
  readonly detail: string;
  /** HTTP status; 0 without a response. */
  readonly status_code: number;
  /** Other fields of the response, by key (default: none). */
  readonly extras?: Readonly<Record<string, unknown>>;
  /** Suggested action; `null` for none. */
  readonly hint?: string | null;
  readonly cause?: unknown;
}

const lineOf = ([key, value]: [string, unknown]): string =>
  `  ${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`;

/**
 * Thrown if the platform rejects a request, fails or does not answer.
 *
 * @example
 * ```ts
 * const client = new RemoteClient({ base_url: "http://127.0.0.1:8400" });
 * await client.listResources().catch((error: unknown) => {
 *   if (error instanceof RemoteApiError) console.error(error.status_code, error.detail, error.hint);
 * });
 * ```
 */
export class RemoteApiError extends RemoteError {
  override readonly name: string = "RemoteApiError";
  readonly detail: string;
  /** HTTP status; 0 without a response. */
  readonly status_code: number;
  readonly extras: Readonly<Record<string, unknown>>;
  /** Suggested action; `null` for none. */
  readonly hint: string | null;

  /** @param label Start of the message. */
  constructor(
    { detail, status_code, extras = {}, hint = null, cause }: ApiErrorFacts,
    label = "Request failed",
  ) {
    const lines = [
      `${label} (${status_code}): ${detail}`,
      ...Object.entries(extras).map(lineOf),
      ...(hint === null ? [] : [hint]),
    ];
    super(lines.join("\n"), { cause });
    this.detail = detail;
    this.status_code = status_code;
    this.extras = extras;
    this.hint = hint;
  }
}

/**
 * Thrown if the platform's validation rejects the data sent.
 *
 * @example
 * ```ts
 * const isWrong = (error: unknown): boolean => error instanceof RemoteValidationError;
 * ```
 */
export class RemoteValidationError extends RemoteApiError {
  override readonly name = "RemoteValidationError";
  constructor(facts: ApiErrorFacts) {
    super(facts, "Validation failed");
  }
}

/**
 * Thrown if the platform does not have a job's environment.
 *
 * @example
 * ```ts
 * const trainer = new RemoteTrainer({ algorithm: "DQN", environment: "Maze-v0" });
 * await trainer.train().catch((error: unknown) => {
 *   if (error instanceof RemoteEnvironmentNotFoundError) console.error(error.detail);
 * });
 * ```
 */
export class RemoteEnvironmentNotFoundError extends RemoteApiError {
  override readonly name = "RemoteEnvironmentNotFoundError";
  constructor(facts: ApiErrorFacts) {
    super(facts, "Environment not found");
  }
}

/**
 * Thrown if the platform does not accept a job.
 *
 * @example
 * ```ts
 * const trainer = new RemoteTrainer({ algorithm: "DQN", environment: "CartPole-v1" });
 * await trainer.train({ num_nodes: 2 }).catch((error: unknown) => {
 *   if (error instanceof RemoteTrainingError) console.error(error.detail, error.extras);
 * });
 * ```
 */
export class RemoteTrainingError extends RemoteApiError {
  override readonly name = "RemoteTrainingError";
  constructor(facts: ApiErrorFacts) {
    super(facts, "Submission failed");
  }
}
