/** Rules that keep runs reproducible to the bit: on every engine (portableMath) and by seed (seededRandomness). */

/** @import { Expression, Reportable, Rule, Visitor } from "./types.ts" */

/** Members of Math whose results ECMAScript leaves to the implementation. */
const approximated = new Set(
  (
    "acos acosh asin asinh atan atan2 atanh cbrt cos cosh exp expm1 hypot log log10 log1p log2 " +
    "pow sin sinh tan tanh"
  ).split(" "),
);

/** @param {Expression | null} node */
const isMath = (node) => node?.type === "Identifier" && node.name === "Math";

/**
 * Visits each member of Math that a file reads: Math.name, Math["name"] and const { name } = Math.
 *
 * @param {(name: string, node: Reportable) => void} found
 * @returns {Visitor}
 */
const onMathMember = (found) => ({
  MemberExpression(node) {
    if (!isMath(node.object)) return;
    const { property } = node;
    if (property.type === "Identifier" && !node.computed) found(property.name, node);
    if (property.type === "Literal" && typeof property.value === "string") found(property.value, node);
  },
  VariableDeclarator(node) {
    if (!isMath(node.init) || node.id.type !== "ObjectPattern") return;
    for (const property of node.id.properties) {
      if (property.type !== "Property" || property.key.type !== "Identifier") continue;
      found(property.key.name, property);
    }
  },
});

/**
 * @param {Expression} node
 * @returns {boolean}
 */
const isNumber = (node) =>
  (node.type === "Literal" && typeof node.value === "number") ||
  (node.type === "UnaryExpression" && node.operator === "-" && isNumber(node.argument));

/** @type {Rule} */
export const portableMath = {
  meta: { type: "problem" },
  create: (context) => ({
    ...onMathMember((name, node) => {
      if (!approximated.has(name)) return;
      context.report({
        node,
        message: `Math.${name} gives different bits in different engines; use the project's own form of it.`,
      });
    }),
    BinaryExpression(node) {
      if (node.operator !== "**" || (isNumber(node.left) && isNumber(node.right))) return;
      context.report({
        node,
        message: "The ** operator is Math.pow, whose bits differ between engines; multiply instead.",
      });
    },
  }),
};

/** @type {Rule} */
export const seededRandomness = {
  meta: { type: "problem" },
  create: (context) =>
    onMathMember((name, node) => {
      if (name !== "random") return;
      context.report({
        node,
        message: "Math.random cannot be seeded; draw from the counter-based generator.",
      });
    }),
};
