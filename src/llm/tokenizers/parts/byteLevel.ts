/** GPT-2's characters for bytes: printable bytes stand for themselves, the others for characters from U+0100. */
const isPrintable = (byte: number): boolean =>
  (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;

let hidden = 256;
const CHARACTERS = Array.from({ length: 256 }, (_, byte) =>
  String.fromCharCode(isPrintable(byte) ? byte : hidden++),
);
const BYTES = new Map(CHARACTERS.map((character, byte) => [character, byte]));

/** The UTF-8 bytes of a text, as characters. */
export const byteCharacters = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => CHARACTERS[byte]).join("");

/** The bytes of a token; one that is not of such characters stands for its own. */
export function tokenBytes(token: string): ArrayLike<number> {
  const bytes = Array.from(token, (character) => BYTES.get(character));
  return bytes.every((byte) => byte !== undefined) ? bytes : new TextEncoder().encode(token);
}

/** Names of the tokens that stand for the bytes of a text where nothing else does. */
export const byteTokens = (text: string): string[] =>
  Array.from(
    new TextEncoder().encode(text),
    (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`,
  );
