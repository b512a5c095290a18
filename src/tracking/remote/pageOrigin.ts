/**
 * In browsers, a page may read the responses of another host only if that host allows
 * the page's origin (CORS).
 */

/** Timeout of the request that checks whether a server is reachable, ms. */
const LONGEST = 5000;

/** Origin of the page or worker this runs in; null outside browsers. */
export const pageOrigin = (): string | null =>
  (globalThis as { readonly location?: { readonly origin?: string } }).location?.origin ?? null;

/**
 * Whether a request failed without a response because of the page's origin, which browsers do not
 * report. A reachable server still responds to a `no-cors` request, whose response is opaque; the
 * request carries no key.
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

/**
 * Explains why a tracker's server gave no response, if the reason is the page's origin;
 * null for other reasons.
 */
export async function originRefusal(
  base: string,
  origin: string | null,
  ask: typeof fetch,
): Promise<string | null> {
  if (!(await refusesOrigin(base, origin, ask))) return null;
  return (
    `${base} does not allow requests of pages from ${origin}. Two ways out: a server of your own that allows this origin ` +
    "(CORS); or a run without a tracker, whose metrics CSV or event file you download and import there"
  );
}
