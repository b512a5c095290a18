/** Maximum number of characters of a policy in a link, and of its bytes after inflating. */
export const LINK_LIMITS = { letters: 64 * 1024, bytes: 1_000_000 };
