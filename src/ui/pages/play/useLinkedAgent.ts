import { useEffect, useState } from "react";
import type { AgentFile } from "../../../workers/protocol.ts";
import { messageOf } from "../../lib/format.ts";
import { readPlayLink } from "./playLink.ts";

export type LinkedAgent =
  | { readonly state: "reading" }
  | { readonly state: "read"; readonly file: AgentFile }
  | { readonly state: "refused"; readonly reason: string };

/** Reads the agent in a link's text. */
export function useLinkedAgent(text: string): LinkedAgent {
  const [found, setFound] = useState<{ readonly text: string; readonly agent: LinkedAgent } | null>(null);
  useEffect(() => {
    let wanted = true;
    const take = (agent: LinkedAgent): void => {
      if (wanted) setFound({ text, agent });
    };
    readPlayLink(text).then(
      (file) => take({ state: "read", file }),
      (error: unknown) => take({ state: "refused", reason: messageOf(error) }),
    );
    return () => {
      wanted = false;
    };
  }, [text]);
  return found?.text === text ? found.agent : { state: "reading" };
}
