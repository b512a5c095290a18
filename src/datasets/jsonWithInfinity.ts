/** Strings, and the non-JSON tokens that Python's json module writes: bare infinities and NaN. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?Infinity|NaN/g;

/**
 * Parses JSON with bare `Infinity` and `-Infinity` as numbers and `NaN` as null.
 * @throws SyntaxError as JSON.parse.
 */
export const parseJsonWithInfinity = (text: string): unknown =>
  JSON.parse(
    text.replace(TOKENS, (token) => {
      if (token.startsWith('"')) return token;
      // JSON has no infinities, but a number that overflows parses as one.
      return token === "NaN" ? "null" : token.replace("Infinity", "1e999");
    }),
  );
