/** Letters and digits of slugs, numbers, and what separates them. */
const TEXT = /^[\p{L}\p{N}.*_+-]{1,4000}$/u;

/** The parameter of an address with the views of charts, or "" if it is none; `plotViews.ts` parses it. */
export const plotText = (text: string | null): string => (text !== null && TEXT.test(text) ? text : "");
