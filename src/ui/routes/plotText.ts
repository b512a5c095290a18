/** Letters and digits of slugs, numbers, and what separates them. */
const TEXT = /^[\p{L}\p{N}.*_+-]{1,4000}$/u;

/** What `formatPanels` of a workspace writes. */
const PANELS = /^[\w.!~%*'()-]{1,16000}$/;

/** The parameter of an address with the panels of a workspace, or "" if it is none; `workspace/panels.ts` parses it. */
export const panelsText = (text: string | null): string => (text !== null && PANELS.test(text) ? text : "");

/** The parameter of an address with the views of charts, or "" if it is none; `plotViews.ts` parses it. */
export const plotText = (text: string | null): string => (text !== null && TEXT.test(text) ? text : "");
