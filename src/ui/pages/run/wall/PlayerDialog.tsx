import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { useEffect, useId, useMemo, useState } from "react";
import type { AgentFile, KeptAgent } from "../../../../workers/protocol.ts";
import { messageOf } from "../../../lib/format.ts";
import { PlayerStage, type StagePlayer } from "../../../stage/PlayerStage.tsx";
import { agentChoices } from "../agents/agentChoices.ts";
import type { StageAgents } from "./WallFeed.ts";
import type { WallMember } from "./wallMembers.ts";

interface Props {
  readonly member: WallMember;
  readonly agents: StageAgents;
  readonly onClose: () => void;
}

interface Beside {
  readonly key: string;
  readonly label: string;
  readonly file: AgentFile;
}

/** Candidate colours of the agent beside a member; the first that the member does not have is used. */
const OTHER_COLOURS = [0, 1] as const;

/** A large view of a member, with an optional second agent of its run beside it. */
export function PlayerDialog({ member, agents, onClose }: Props) {
  const [whole, setWhole] = useState<AgentFile | null>(null);
  const [kept, setKept] = useState<readonly KeptAgent[]>([]);
  const [beside, setBeside] = useState<Beside | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const choice = useId();
  useEffect(() => {
    let wanted = true;
    agents.list().then(
      (list) => wanted && setKept(list),
      (error: unknown) => wanted && setProblem(messageOf(error)),
    );
    return () => {
      wanted = false;
    };
  }, [agents]);
  const { index } = member;
  useEffect(() => {
    let wanted = true;
    // With its critic, the agent shows its value estimates. A member that is gone keeps playing without them.
    agents.file({ kind: "member", index }).then(
      (file) => wanted && setWhole(file),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [agents, index]);
  const groups = useMemo(() => agentChoices(kept), [kept]);
  const choose = async (key: string): Promise<void> => {
    const found = groups.flatMap(({ choices }) => choices).find((one) => one.key === key);
    if (found === undefined) return setBeside(null);
    try {
      setBeside({ key, label: found.label, file: await agents.file(found.ref) });
      setProblem(null);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const file = whole ?? member.file;
  const { generation } = file;
  const title = `Member #${index}, ${generation === 0 ? "untrained" : `generation ${generation}`}`;
  const { colour } = member;
  const players = useMemo((): readonly StagePlayer[] => {
    const own = { key: "member", label: title, file, colour };
    const other = OTHER_COLOURS.find((one) => one !== colour) ?? 0;
    return beside === null ? [own] : [own, { ...beside, colour: other }];
  }, [file, colour, title, beside]);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="shade" />
        <Dialog.Content className="floating player-dialog" aria-describedby={undefined}>
          <header className="row player-dialog__head">
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close className="button button--small button--quiet">
              <X size={16} aria-hidden="true" />
              Close
            </Dialog.Close>
          </header>
          <PlayerStage players={players} />
          <div className="row player-dialog__beside">
            <label htmlFor={choice}>Compare with</label>
            <select
              id={choice}
              className="field"
              value={beside?.key ?? ""}
              onChange={({ target }) => void choose(target.value)}
            >
              <option value="">None</option>
              {groups.map(({ title: group, choices }) => (
                <optgroup key={group} label={group}>
                  {choices.map(({ key, label }) => (
                    <option key={key} value={key}>
                      {label}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
          </div>
          {problem !== null && <p role="alert">{problem}</p>}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
