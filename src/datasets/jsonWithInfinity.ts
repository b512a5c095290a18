/** What Python's json module writes beside JSON: bare infinities and NaN. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?Infinity|NaN/g;

/** JSON in which bare `Infinity` and `-Infinity` are numbers, and `NaN` is null. @throws SyntaxError as JSON.parse. */
export const parseJsonWithInfinity = (text: string): unknown =>
  JSON.parse(
    text.replace(TOKENS, (token) => {
      if (token.startsWith('"')) return token;
      // JSON has no infinities, but numbers that are read as one.
      return token === "NaN" ? "null" : token.replace("Infinity", "1e999");
    }),
  );
