/** In browsers a page may read the answers of another host only where that host allows the page's origin (CORS). */

/** Longest that the question whether a server is there may take, ms. */
const LONGEST = 5000;

/** Origin of the page or worker this runs in; null outside browsers. */
export const pageOrigin = (): string | null =>
  (globalThis as { readonly location?: { readonly origin?: string } }).location?.origin ?? null;

/**
 * Whether a request failed without an answer because of the page's origin: browsers tell a page no more than that it
 * failed. A server that is there answers a request whose answer nobody may read; it carries no key.
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

/** Why a tracker's server gave no answer, where the reason is the page's origin; null where it is another. */
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
