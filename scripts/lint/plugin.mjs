/**
 * The project's own lint rules, for oxlint's plugin interface (the same shape as ESLint's). They hold what no
 * ready-made rule can say; tests/repo/lint.test.ts proves each one on bad and good snippets.
 */
import { enterByDoors } from "./doors.mjs";
import { explainedAssertion, explainedDisable } from "./explanations.mjs";
import { importDirection } from "./import-direction.mjs";
import { portableMath, seededRandomness } from "./math.mjs";

export default {
  meta: { name: "rlkit" },
  rules: {
    doors: enterByDoors,
    "explained-assertion": explainedAssertion,
    "explained-disable": explainedDisable,
    "import-direction": importDirection,
    "portable-math": portableMath,
    "seeded-randomness": seededRandomness,
  },
};
