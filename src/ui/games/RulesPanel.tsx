import { useMemo } from "react";
import { GamePanel } from "./GamePanel.tsx";
import { ruleRivals } from "./rivals.ts";
import { rulesOf } from "./rulesOf.ts";

/** The user plays a game against rules. */
export function RulesPanel({ id }: { readonly id: string }) {
  const rules = useMemo(() => rulesOf(id), [id]);
  return rules && <GamePanel title="Play" rules={rules} rivals={[ruleRivals(rules)]} />;
}
