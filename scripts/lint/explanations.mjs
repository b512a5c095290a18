/** Rules that ask for the reason wherever the compiler or the linter is overruled. */

/** @import { Context, Reportable, Rule } from "./types.ts" */

const directive = /^\s*(?:(?:eslint|oxlint)-disable\S*|@ts-(?:ignore|nocheck|expect-error))/;

/**
 * Whether a comment of at least three words stands on the node's line, or ends on the line above it.
 *
 * @param {Context} context
 * @param {Reportable} node
 */
function hasReason(context, node) {
  const { start, end } = context.sourceCode.getLoc(node);
  return context.sourceCode
    .getAllComments()
    .some(
      (comment) =>
        !directive.test(comment.value) &&
        comment.value.trim().split(/\s+/).length >= 3 &&
        comment.loc.end.line >= start.line - 1 &&
        comment.loc.start.line <= end.line,
    );
}

/** @type {Rule} */
export const explainedAssertion = {
  meta: { type: "suggestion" },
  create: (context) => ({
    TSNonNullExpression(node) {
      if (hasReason(context, node)) return;
      context.report({
        node,
        message: "A non-null assertion needs its reason in a comment on this line or the line above.",
      });
    },
    TSAsExpression(node) {
      const inner = node.expression;
      if (inner.type !== "TSAsExpression" || inner.typeAnnotation.type !== "TSUnknownKeyword") return;
      if (hasReason(context, node)) return;
      context.report({
        node,
        message: '"as unknown as" needs its reason in a comment on this line or the line above.',
      });
    },
  }),
};

/** @type {Rule} */
export const explainedDisable = {
  meta: { type: "suggestion" },
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        const match = directive.exec(comment.value);
        if (match === null) continue;
        if (/(?:--|:)\s*\S+\s+\S+/.test(comment.value.slice(match[0].length))) continue;
        context.report({
          loc: comment.loc,
          message: 'Say after " -- " why the check is switched off here.',
        });
      }
    },
  }),
};
