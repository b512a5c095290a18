import { useRef } from "react";
import { environmentFacts } from "../../../../manifests/environmentFacts.ts";
import { templates } from "../../../../manifests/templates.ts";
import { Button, LinkButton } from "../../../components/Button.tsx";
import { DocumentationLink } from "../../../components/DocumentationLink.tsx";
import { type Fact, Facts, fact } from "../../../components/Facts.tsx";
import { MessagePage } from "../../../components/MessagePage.tsx";
import { PageHead } from "../../../components/PageHeading.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { isGameId } from "../../../games/isGame.ts";
import { formatCount, NONE } from "../../../lib/format.ts";
import { loadable } from "../../../lib/loadable.tsx";
import { EnvironmentPicture } from "../../../pictures/EnvironmentPicture.tsx";
import { editorRoute, environmentsRoute, formatRoute } from "../../../routes/route.ts";
import { stageTheme } from "../../../stage/stageSettings.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { taskTextOf } from "../../editor/gallery/tasks.ts";
import { ByHandPanel } from "../byHand/ByHandPanel.tsx";
import { KINDS } from "../gallery/listedEnvironments.ts";
import { TrialPanel } from "../trial/TrialPanel.tsx";

const RulesPanel = loadable(
  async () => (await import("../../../games/RulesPanel.tsx")).RulesPanel,
  <p className="loading dim">Loading…</p>,
);

/** Facts without those that an environment does not have. */
const known = (facts: readonly Fact[]) => facts.filter(([, value]) => value !== NONE);

/** Names, numbered as in code; a dash for none. */
const listed = (names: readonly string[] | null) =>
  names === null ? (
    NONE
  ) : (
    <ol className="environment__names small" start={0}>
      {names.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ol>
  );

/** Where agents can be trained in an environment: its templates, or a manifest that suits any. */
function TrainPanel({ id }: { readonly id: string }) {
  const workbench = useWorkbench();
  const own = templates.filter(({ manifest }) => manifest.environment.name === id);
  const train = (): Promise<boolean> =>
    workbench.attempt(async () => {
      // Loads the code of manifests only when it is needed.
      const { ownManifestLink } = await import("../../editor/ownManifest.ts");
      const link = ownManifestLink({ environment: id, env_config: null, algorithm: "PPO" });
      if (link === null) throw new Error(`${id}: no template suits it; write a manifest from an empty one.`);
      window.location.hash = new URL(link, window.location.href).hash;
    }, `train ${id}`);
  return (
    <Panel title="Train">
      <div className="panel__body row">
        {own.map(({ id: template, title }) => (
          <a
            key={template}
            className="chip hovers"
            href={formatRoute(editorRoute({ kind: "template", id: template }))}
          >
            {title}
          </a>
        ))}
        {own.length === 0 && (
          <Button primary onClick={() => void train()}>
            Open a manifest
          </Button>
        )}
      </div>
    </Panel>
  );
}

/** A built-in environment: a trial, what agents see and do, and where to train them. */
export function BuiltInEnvironment({ id }: { readonly id: string }) {
  const place = useRef<HTMLDivElement>(null);
  const facts = environmentFacts[id];
  if (facts === undefined)
    return (
      <MessagePage title="Environment not found">
        <p>
          There is no built-in environment <code>{id}</code>.
        </p>
        <LinkButton primary to={environmentsRoute}>
          Go to environments
        </LinkButton>
      </MessagePage>
    );
  const { title, words } = taskTextOf(id);
  const { kind, observes, acts, steps, solved, mujoco } = facts;
  return (
    <div className="page">
      <PageHead title={title} text={words}>
        <LinkButton to={environmentsRoute}>All environments</LinkButton>
      </PageHead>
      <div className="columns environments__columns" ref={place}>
        {isGameId(id) ? (
          <RulesPanel id={id} />
        ) : (
          <div className="grid gap-4">
            <TrialPanel
              title="Play"
              about={
                mujoco
                  ? "Loads MuJoCo and plays episode after episode."
                  : "Opens the environment and plays episode after episode."
              }
              names={facts}
              poster={<EnvironmentPicture environment={id} pointed />}
              source={async () => {
                // Loads environments only when one is played.
                const { openBuiltIn } = await import("../trial/openBuiltIn.ts");
                return openBuiltIn(id, stageTheme(place.current ?? document.body));
              }}
            />
            {!facts.team && <ByHandPanel key={id} id={id} />}
          </div>
        )}
        <div className="grid gap-4">
          <TrainPanel id={id} />
          <Panel title="Facts">
            <Facts
              className="facts panel__body environment__facts"
              rows={known([
                fact("Id", <code>{id}</code>),
                ["Kind", KINDS[kind]],
                ["Observation", observes],
                fact("Its numbers", listed(facts.observation_names)),
                ["Action", acts],
                fact("Its choices or numbers", listed(facts.action_names)),
                ["Longest episode", `${formatCount(steps)} steps`],
                ["Solved from a mean return of", solved === null ? NONE : formatCount(solved)],
              ])}
            />
            <p className="panel__text">
              <DocumentationLink page="environments/">Environments in the documentation</DocumentationLink>
            </p>
          </Panel>
        </div>
      </div>
    </div>
  );
}
