import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { useCallback, useId, useMemo, useState } from "react";
import type { AgentFile } from "../../../../workers/protocol.ts";
import { Select } from "../../../components/controls.tsx";
import { useFitnessWord } from "../../../games/fitnessWord.tsx";
import { messageOf } from "../../../lib/format.ts";
import { PlayerStage, type StagePlayer } from "../../../stage/PlayerStage.tsx";
import { useAnswer } from "../../../state/useAnswer.ts";
import { AgentOptions, agentChoices } from "../agents/agentChoices.tsx";
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
  const [beside, setBeside] = useState<Beside | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const choice = useId();
  const { value: kept, problem: unlisted } = useAnswer(agents.list);
  const problem = fault ?? unlisted;
  const { index } = member;
  // With its critic, the agent shows its value estimates. A member that is gone keeps playing without them.
  const read = useCallback(() => agents.file({ kind: "member", index }), [agents, index]);
  const { value: whole } = useAnswer(read);
  const word = useFitnessWord();
  const groups = useMemo(() => agentChoices(kept ?? [], word), [kept, word]);
  const choose = async (key: string): Promise<void> => {
    const found = groups.flatMap(({ choices }) => choices).find((one) => one.key === key);
    if (found === undefined) return setBeside(null);
    try {
      setBeside({ key, label: found.label, file: await agents.file(found.ref) });
      setFault(null);
    } catch (error) {
      setFault(messageOf(error));
    }
  };
  // On the wall of a past generation, the member may have trained since.
  const file = whole?.generation === member.file.generation ? whole : member.file;
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
        <Dialog.Content className="floating fill player-dialog panel__body" aria-describedby={undefined}>
          <header className="row player-dialog__head">
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close className="button button--small button--quiet">
              <X size={16} aria-hidden="true" />
              Close
            </Dialog.Close>
          </header>
          <PlayerStage players={players} />
          <div className="row player-dialog__beside small">
            <label htmlFor={choice}>Compare with</label>
            <Select
              id={choice}
              value={beside?.key ?? ""}
              options={[["", "None"]]}
              onChange={(key) => void choose(key)}
            >
              <AgentOptions groups={groups} />
            </Select>
          </div>
          {problem !== null && <p role="alert">{problem}</p>}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
