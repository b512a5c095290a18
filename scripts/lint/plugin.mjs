/**
 * The project's own lint rules, for oxlint's plugin interface (the same shape as ESLint's).
 * They hold what no ready-made rule can say; each one is proved in tests/repo/lint.test.ts.
 */
import path from "node:path";
import { allowedImports } from "./layers.mjs";

/** The file's path below the checked folder, with forward slashes. */
const projectPath = (context) => path.relative(context.cwd, context.filename).split(path.sep).join("/");

/**
 * The layer that a project path belongs to: a folder of src, "index" for src/index.ts, "platform" for the root
 * folder of that name, or undefined for files that may import everything (tests, benchmarks, scripts).
 */
const layerOf = (file) => {
  const [root, folder, ...rest] = file.split("/");
  if (root === "platform") return "platform";
  if (root !== "src" || folder === undefined) return undefined;
  return rest.length === 0 ? folder.replace(/\.[cm]?tsx?$/, "") : folder;
};

const importDirection = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const file = projectPath(context);
    const layer = layerOf(file);
    if (layer === undefined) return {};
    const allowed = allowedImports[layer];

    const check = (source) => {
      if (source?.type !== "Literal" || typeof source.value !== "string") return;
      if (!source.value.startsWith(".")) return;
      const target = path.posix.join(path.posix.dirname(file), source.value);
      const targetLayer = layerOf(target);
      if (targetLayer === undefined) {
        context.report({ node: source, message: `src/${layer} imports ${target}, which is no part of src.` });
      } else if (allowed === undefined) {
        context.report({
          node: source,
          message: `The folder src/${layer} has no place in the order of imports; add it to scripts/lint/layers.mjs.`,
        });
      } else if (targetLayer !== layer && !allowed.includes(targetLayer)) {
        const list = allowed.length === 0 ? "nothing else of ours" : allowed.join(", ");
        context.report({
          node: source,
          message: `src/${layer} must not import src/${targetLayer}; it may import ${list} (scripts/lint/layers.mjs).`,
        });
      }
    };
    return {
      ImportDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      TSImportType: (node) => check(node.source),
    };
  },
};

/** Members of Math whose results ECMAScript leaves to the implementation. */
const approximated = new Set(
  (
    "acos acosh asin asinh atan atan2 atanh cbrt cos cosh exp expm1 hypot log log10 log1p log2 " +
    "pow sin sinh tan tanh"
  ).split(" "),
);

const isMath = (node) => node?.type === "Identifier" && node.name === "Math";

/** Calls `report(name, node)` for each member of Math that the file reads. */
const onMathMember = (report) => ({
  MemberExpression(node) {
    if (!isMath(node.object)) return;
    if (!node.computed && node.property.type === "Identifier") report(node.property.name, node);
    if (node.computed && typeof node.property.value === "string") report(node.property.value, node);
  },
  VariableDeclarator(node) {
    if (!isMath(node.init) || node.id.type !== "ObjectPattern") return;
    for (const property of node.id.properties) {
      if (property.type === "Property" && property.key.type === "Identifier")
        report(property.key.name, property);
    }
  },
});

const isNumber = (node) =>
  (node.type === "Literal" && typeof node.value === "number") ||
  (node.type === "UnaryExpression" && node.operator === "-" && isNumber(node.argument));

const portableMath = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const report = (name, node) => {
      if (!approximated.has(name)) return;
      context.report({
        node,
        message: `Math.${name} gives different bits in different engines; use the project's own form of it.`,
      });
    };
    return {
      ...onMathMember(report),
      BinaryExpression(node) {
        if (node.operator !== "**" || (isNumber(node.left) && isNumber(node.right))) return;
        context.report({
          node,
          message: "The ** operator is Math.pow: its bits differ between engines; multiply instead.",
        });
      },
    };
  },
};

const seededRandomness = {
  meta: { type: "problem", schema: [] },
  create: (context) =>
    onMathMember((name, node) => {
      if (name !== "random") return;
      context.report({
        node,
        message: "Math.random cannot be seeded; draw from the counter-based generator.",
      });
    }),
};

/** Whether a comment of at least three words stands on the node's line, or ends on the line above it. */
const hasReason = (context, node) => {
  const first = node.loc.start.line;
  const last = node.loc.end.line;
  return context.sourceCode
    .getAllComments()
    .some(
      (comment) =>
        comment.value.trim().split(/\s+/).length >= 3 &&
        !/^\s*(eslint|oxlint|biome)-/.test(comment.value) &&
        comment.loc.end.line >= first - 1 &&
        comment.loc.start.line <= last,
    );
};

const explainedAssertion = {
  meta: { type: "suggestion", schema: [] },
  create: (context) => ({
    TSNonNullExpression(node) {
      if (hasReason(context, node)) return;
      context.report({
        node,
        message: "A non-null assertion needs the reason in a comment on its line or the line above.",
      });
    },
    TSAsExpression(node) {
      const inner = node.expression;
      if (inner.type !== "TSAsExpression") return;
      if (inner.typeAnnotation.type !== "TSUnknownKeyword" || hasReason(context, node)) return;
      context.report({
        node,
        message: '"as unknown as" needs the reason in a comment on its line or the line above.',
      });
    },
  }),
};

const explainedDisable = {
  meta: { type: "suggestion", schema: [] },
  create: (context) => ({
    Program(node) {
      for (const comment of context.sourceCode.getAllComments()) {
        const directive =
          /^\s*(?:eslint|oxlint)-disable\S*(.*)$/s.exec(comment.value) ??
          /^\s*@ts-(?:ignore|nocheck|expect-error)(.*)$/s.exec(comment.value);
        if (directive === null || /(?:--|:)\s*\S+\s+\S+/.test(directive[1] ?? "")) continue;
        context.report({
          node: comment.loc === undefined ? node : comment,
          message: "Say after two dashes why the check is switched off here.",
        });
      }
    },
  }),
};

export default {
  meta: { name: "rlkit" },
  rules: {
    "import-direction": importDirection,
    "portable-math": portableMath,
    "seeded-randomness": seededRandomness,
    "explained-assertion": explainedAssertion,
    "explained-disable": explainedDisable,
  },
};
