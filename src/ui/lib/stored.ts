/** Small values that a browser stores for the workbench. Storage may be blocked or full: they are then lost on a reload. */

/** The stored text of a key; null if there is none. */
export function readStored(
  key: string,
  storage: "localStorage" | "sessionStorage" = "localStorage",
): string | null {
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text; null removes it. */
export function writeStored(
  key: string,
  text: string | null,
  storage: "localStorage" | "sessionStorage" = "localStorage",
): void {
  try {
    if (text === null) window[storage].removeItem(key);
    else window[storage].setItem(key, text);
  } catch {
    // See above.
  }
}

/** The stored value of a key, if it is valid JSON that `read` accepts; else `otherwise`. */
export function parseStored<T>(text: string | null, read: (value: unknown) => T, otherwise: T): T {
  try {
    return read(JSON.parse(text ?? "null"));
  } catch {
    return otherwise;
  }
}
