/** Which server is asked, with which key, and whether the page may read its answers. */

import { FieldError } from "../specs/checks.ts";

/** @throws FieldError naming the option unless it is an http or https address. */
export function requireAddress(text: string, place: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new FieldError(place, `found ${JSON.stringify(text)}, allowed an http or https address`);
  // Credentials are rejected because addresses appear in messages.
  if (url.username !== "" || url.password !== "")
    throw new FieldError(
      place,
      "has a user or a password, allowed an address without them; give the key separately",
    );
  return url.href.replace(/\/+$/, "");
}

/** Whether a header can carry the key. */
export const isKey = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

/** The value of an environment variable; null if it is unset or empty, or outside Node. */
export const environmentVariable = (name: string): string | null => {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  return process?.env?.[name] || null;
};

/** Timeout of the request that checks whether a server is reachable, ms. */
const LONGEST = 5000;

/** Origin of the page or worker this runs in; null outside browsers. */
export const pageOrigin = (): string | null =>
  (globalThis as { readonly location?: { readonly origin?: string } }).location?.origin ?? null;

/**
 * Whether a request failed without a response because of the page's origin, which browsers do not report (CORS). A
 * reachable server still responds to a `no-cors` request, whose response is opaque; the request carries no key.
 */
export async function refusesOrigin(
  base: string,
  origin: string | null,
  ask: typeof fetch,
): Promise<boolean> {
  if (origin === null || new URL(base).origin === origin) return false;
  try {
    const signal = AbortSignal.timeout(LONGEST);
    await ask(base, { mode: "no-cors", credentials: "omit", cache: "no-store", signal });
    return true;
  } catch {
    return false;
  }
}
