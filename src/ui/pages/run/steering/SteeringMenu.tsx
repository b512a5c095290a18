import "../../../components/components.css";
import { Ellipsis, Shield } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type ReactNode, useState } from "react";
import { useStore } from "zustand";
import { trainsOnText } from "../../../../specs/sections.ts";
import type { GenerationReport, MemberReport } from "../../../../tracking/observer.ts";
import type { SteeringAction } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { Select, TextField } from "../../../components/controls.tsx";
import { FormDialog } from "../../../components/FormDialog.tsx";
import { formatCount } from "../../../lib/format.ts";
import type { RunView } from "../../../state/RunView.ts";
import { steeringCause } from "../../../state/toasts.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { useRunRoute } from "../shownGeneration.tsx";

interface SetHyperparameterProps {
  readonly member: Pick<MemberReport, "index" | "hyperparameters">;
  readonly onSet: (hyperparameter: string, value: number, all: boolean) => void;
  readonly onClose: () => void;
}

/**
 * A dialog that asks for a hyperparameter and its value; the run itself checks whether the value is allowed.
 */
function SetHyperparameter({ member, onSet, onClose }: SetHyperparameterProps) {
  const { index, hyperparameters } = member;
  const [name, setName] = useState(Object.keys(hyperparameters)[0] ?? "");
  const [text, setText] = useState<string | null>(null);
  const [all, setAll] = useState(false);
  const shown = text ?? String(hyperparameters[name] ?? "");
  const value = Number(shown);
  const isNumber = shown.trim() !== "" && Number.isFinite(value);
  const set = (): void => {
    if (!isNumber) return;
    onSet(name, value, all);
    onClose();
  };
  return (
    <FormDialog
      title={`Set a hyperparameter of #${index}`}
      onSubmit={set}
      onClose={onClose}
      actions={
        <Button type="submit" primary aria-disabled={!isNumber}>
          Set
        </Button>
      }
    >
      <label>
        Hyperparameter
        <Select
          value={name}
          options={Object.keys(hyperparameters)}
          onChange={(chosen) => {
            setName(chosen);
            setText(null);
          }}
        />
      </label>
      <label>
        Value
        <TextField inputMode="decimal" aria-invalid={!isNumber} value={shown} onChange={setText} />
      </label>
      <label className="dialog__check">
        <input type="checkbox" checked={all} onChange={() => setAll(!all)} /> Apply to all members
      </label>
      <p>The change takes effect when this generation ends, and the run records it.</p>
    </FormDialog>
  );
}

interface Props {
  readonly session: RunView;
  readonly member: Pick<MemberReport, "index" | "hyperparameters">;
  readonly report: Pick<GenerationReport, "members" | "elite">;
  /** Whether the member is protected from selection. */
  readonly isProtected: boolean;
}

type Mutation = Extract<SteeringAction, { kind: "mutate" }>["what"];

const MUTATIONS: Readonly<Record<Mutation, string>> = {
  parameters: "Weights",
  architecture: "Architecture",
  activation: "Activation",
  hyperparameter: "Hyperparameter",
};

/** The menu of steering actions on a member, which take effect when the generation ends. */
export function SteeringMenu({ session, member, report, isProtected }: Props) {
  const workbench = useWorkbench();
  const { id } = useRunRoute();
  const text = useStore(session.view, ({ manifest }) => trainsOnText(manifest));
  const [setting, setSetting] = useState(false);
  const { index } = member;
  const elite = report.members[report.elite]?.index;
  const steer = (action: SteeringAction, said: string): void => {
    void workbench.attempt(async () => {
      const generation = await workbench.coordinator.steer(id, action);
      // The generation may have ended in the meantime.
      if ((session.view.getState().summary?.generation ?? 0) >= generation) return;
      const message = `${said} when generation ${formatCount(generation)} ends.`;
      workbench.toasts.show({ tone: "info", message, cause: steeringCause(id, generation) });
    });
  };
  const item = (label: string, act: () => void) => (
    <DropdownMenu.Item key={label} className="menu__item" onSelect={act}>
      {label}
    </DropdownMenu.Item>
  );
  // Object.keys loses the type of the keys.
  const mutations = (Object.keys(MUTATIONS) as Mutation[]).filter(
    (what) => !text || what === "hyperparameter",
  );
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger
          className="button button--quiet button--small button--icon"
          aria-label={`Steer member ${index}`}
          title="Steer"
        >
          <Ellipsis aria-hidden="true" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="floating menu" align="end" sideOffset={4} collisionPadding={8}>
            {!text && (
              <>
                <SubMenu label="Clone onto…">
                  {report.members
                    .filter((other) => other.index !== index)
                    .map((other) =>
                      item(`#${other.index}`, () =>
                        steer(
                          { kind: "clone", index, over: other.index },
                          `A copy of #${index} will replace #${other.index}`,
                        ),
                      ),
                    )}
                </SubMenu>
                {item(isProtected ? "Remove protection" : "Protect", () =>
                  steer(
                    { kind: "protect", index, on: !isProtected },
                    `#${index} will ${isProtected ? "no longer be protected" : "be protected from selection"}`,
                  ),
                )}
                {index !== elite &&
                  item("Replace with elite", () =>
                    steer({ kind: "replace", index }, `A copy of the elite will replace #${index}`),
                  )}
                <DropdownMenu.Separator className="menu__line" />
              </>
            )}
            <SubMenu label="Mutate">
              {mutations.map((what) =>
                item(MUTATIONS[what], () => steer({ kind: "mutate", index, what }, `#${index} will mutate`)),
              )}
            </SubMenu>
            {item("Set hyperparameter…", () => setSetting(true))}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {setting && (
        <SetHyperparameter
          member={member}
          onClose={() => setSetting(false)}
          onSet={(hyperparameter, value, all) =>
            steer(
              { kind: "set", index: all ? null : index, hyperparameter, value },
              `${hyperparameter} of ${all ? "all members" : `#${index}`} will be set to ${value}`,
            )
          }
        />
      )}
    </>
  );
}

const SubMenu = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <DropdownMenu.Sub>
    <DropdownMenu.SubTrigger className="menu__item">{label}</DropdownMenu.SubTrigger>
    <DropdownMenu.Portal>
      <DropdownMenu.SubContent className="floating menu" sideOffset={2} collisionPadding={8}>
        {children}
      </DropdownMenu.SubContent>
    </DropdownMenu.Portal>
  </DropdownMenu.Sub>
);

/** Marks a member that is protected from selection. */
export const ProtectedMark = () => (
  <>
    <Shield className="protected-mark" size={12} />
    <span className="visually-hidden">protected</span>
  </>
);
