/** What the client of the remote platform throws. */

/**
 * Anything that goes wrong with the remote platform.
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
 * A setting that is missing, or is not right, such as the project of `listExperiments`. Nothing was sent.
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
 * A file to send that is not there. Nothing was sent.
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
 * No key, one that no header can carry, or one that the platform refuses (401).
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

/** What a refusal of the platform says. */
export interface ApiErrorFacts {
  readonly detail: string;
  /** HTTP status; 0 where no answer came. */
  readonly status_code: number;
  /** What else the platform said, by key; none unless given. */
  readonly extras?: Readonly<Record<string, unknown>>;
  /** What to do; null for no advice. */
  readonly hint?: string | null;
  readonly cause?: unknown;
}

const lineOf = ([key, value]: [string, unknown]): string =>
  `  ${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`;

/**
 * The platform refused, failed or did not answer.
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
  /** HTTP status; 0 where no answer came. */
  readonly status_code: number;
  readonly extras: Readonly<Record<string, unknown>>;
  /** What to do; null for no advice. */
  readonly hint: string | null;

  /** @param label The message's first words. */
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
 * The platform looked at what was sent, and found it wrong.
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
 * A job whose environment the platform does not have.
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
 * A job that the platform did not take.
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
