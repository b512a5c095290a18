import { Ellipsis, Shield } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type ReactNode, useState } from "react";
import { useStore } from "zustand";
import { trainsOnText } from "../../../../specs/sections.ts";
import type { GenerationReport, MemberReport } from "../../../../tracking/observer.ts";
import type { SteeringAction } from "../../../../workers/protocol.ts";
import { Menu } from "../../../components/Menu.tsx";
import type { RunView } from "../../../state/RunView.ts";
import { SetHyperparameter } from "./SetHyperparameter.tsx";
import { useSteer } from "./steering.ts";

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
  const steer = useSteer();
  const manifest = useStore(session.view, (view) => view.manifest);
  const text = trainsOnText(manifest);
  const [setting, setSetting] = useState(false);
  const { index } = member;
  const elite = report.members[report.elite]?.index;
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
      <Menu button={<Ellipsis aria-hidden="true" />} label={`Steer member ${index}`} title="Steer">
        {!text && (
          <>
            <SubMenu label="Clone onto…">
              {report.members
                .filter((other) => other.index !== index)
                .map((other) =>
                  item(`#${other.index}`, () => steer({ kind: "clone", index, over: other.index })),
                )}
            </SubMenu>
            {item(isProtected ? "Remove protection" : "Protect", () =>
              steer({ kind: "protect", index, on: !isProtected }),
            )}
            {index !== elite && item("Replace with elite", () => steer({ kind: "replace", index }))}
            <DropdownMenu.Separator className="menu__line" />
          </>
        )}
        <SubMenu label="Mutate">
          {mutations.map((what) => item(MUTATIONS[what], () => steer({ kind: "mutate", index, what })))}
        </SubMenu>
        {item("Set hyperparameter…", () => setSetting(true))}
      </Menu>
      {setting && (
        <SetHyperparameter
          member={member}
          manifest={manifest}
          onClose={() => setSetting(false)}
          onSet={(hyperparameter, value, all) =>
            steer({ kind: "set", index: all ? null : index, hyperparameter, value })
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
      <DropdownMenu.SubContent className="floating menu scrolls" sideOffset={2} collisionPadding={8}>
        {children}
      </DropdownMenu.SubContent>
    </DropdownMenu.Portal>
  </DropdownMenu.Sub>
);

/** Marks a member that is protected from selection. */
export const ProtectedMark = () => (
  <>
    <Shield className="protected-mark rigid" size={12} />
    <span className="visually-hidden">protected</span>
  </>
);
