import { SpecError } from "../../../src/manifests/index.ts";

/** An error response, as a client sees it. */
interface ApiErrorOptions extends ErrorOptions {
  /** Additional keys of the response body. */
  readonly extras?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export class ApiError extends Error {
  readonly status: number;
  readonly extras: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, { extras = {}, headers = {}, ...rest }: ApiErrorOptions = {}) {
    super(message, rest);
    this.name = "ApiError";
    this.status = status;
    this.extras = extras;
    this.headers = headers;
  }
}

export const notFound = (what: string): ApiError => new ApiError(404, `${what} not found`);

/** Rejects a field of a submission. @throws SpecError always. */
export function refuse(path: string, message: string): never {
  throw new SpecError([{ code: "unsupported", path, segments: path.split("."), message }], "submission");
}
