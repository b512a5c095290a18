import { useMemo } from "react";
import type { AgentFile } from "../../../workers/protocol.ts";
import { GamePanel } from "../../games/GamePanel.tsx";
import { agentRival, ruleRivals } from "../../games/rivals.ts";
import { rulesOf } from "../../games/rulesOf.ts";

interface Props {
  readonly file: AgentFile;
  readonly label: string;
}

/** A board on which the visitor plays against an agent of a game. */
export function AgentBoard({ file, label }: Props) {
  const { environment, env_config } = file;
  const rules = useMemo(() => rulesOf(environment, env_config ?? {}), [environment, env_config]);
  const rivals = useMemo(
    () =>
      rules === null
        ? []
        : [
            { title: "Agent", choices: [agentRival({ key: "agent", label }, async () => file)] },
            ruleRivals(rules),
          ],
    [rules, file, label],
  );
  return rules && <GamePanel title="Play it" rules={rules} rivals={rivals} />;
}
