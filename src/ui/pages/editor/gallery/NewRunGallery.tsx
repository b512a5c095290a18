import { FilePlus2, History } from "lucide-react";
import { type ReactNode, useId } from "react";
import { type Template, templates } from "../../../../manifests/templates.ts";
import { LinkButton } from "../../../components/Button.tsx";
import { PageHead } from "../../../components/PageHeading.tsx";
import { formatCount, formatDuration, formatShort } from "../../../lib/format.ts";
import { EnvironmentPicture } from "../../../pictures/EnvironmentPicture.tsx";
import { usePointed } from "../../../pictures/usePointed.ts";
import { editorRoute, formatRoute, ownEnvironmentRoute } from "../../../routes/route.ts";
import { ImportManifestButton } from "../ImportManifestButton.tsx";
import { OWN_TASK, readLastDraft } from "../sources.ts";
import { TARGET_MACHINE, TARGET_TIMES } from "./targetTimes.ts";
import { groupsOf, type Task, type TaskGroup, taskTextOf } from "./tasks.ts";

/** The card for a user-written environment. */
function OwnTaskCard() {
  const heading = useId();
  return (
    <li className="card template task panel__body" aria-labelledby={heading}>
      <EnvironmentPicture environment="user/cartpole" pointed={false} />
      <div className="template__text">
        <h3 id={heading}>Your own environment</h3>
        <p className="quiet">
          Start from a CartPole whose code you can change, or write any other environment.
        </p>
      </div>
      <ul className="row whole-row" aria-label="Algorithms for your own environment">
        <li>
          <a
            className="chip hovers"
            href={formatRoute(editorRoute({ kind: "template", id: OWN_TASK }))}
            aria-label="PPO: Own CartPole (PPO)"
            title="Own CartPole (PPO)"
          >
            PPO
          </a>
        </li>
        <li>
          <a className="chip hovers" href={formatRoute(ownEnvironmentRoute())}>
            Write code
          </a>
        </li>
      </ul>
    </li>
  );
}

const groups = groupsOf(templates);

/** Brings a group's heading to the top, and gives it the focus. */
function showGroup(name: string): void {
  const heading = document.getElementById(headingOf(name));
  heading?.scrollIntoView({ block: "start" });
  heading?.focus({ preventScroll: true });
}

const headingOf = (name: string): string => `group-${name}`;

/** A heading with cards of tasks below. */
function Group({ name, title, children }: Pick<TaskGroup, "title"> & { name: string; children: ReactNode }) {
  return (
    <section className="stack" aria-labelledby={headingOf(name)}>
      <h2 className="group__heading" id={headingOf(name)} tabIndex={-1}>
        {title}
      </h2>
      <ul className="templates grid gap-4">{children}</ul>
    </section>
  );
}

const OWN_GROUP = { name: "own", title: "Your own" };

/** Starting points for a run: a task with an algorithm, an empty manifest, the last draft, or a file. */
export function NewRunGallery() {
  const draft = readLastDraft();
  return (
    <div className="page">
      <PageHead
        title="New run"
        text="Choose a task and an algorithm. The editor then opens with a complete manifest."
      >
        <LinkButton to={editorRoute({ kind: "empty" })}>
          <FilePlus2 aria-hidden="true" />
          Empty manifest
        </LinkButton>
        {draft !== null && (
          <LinkButton to={editorRoute({ kind: "draft" })}>
            <History aria-hidden="true" />
            Last draft
          </LinkButton>
        )}
        <ImportManifestButton />
      </PageHead>
      <nav className="groups" aria-label="Groups of tasks">
        {[...groups, OWN_GROUP].map(({ name, title }) => (
          <button key={name} type="button" className="chip hovers" onClick={() => showGroup(name)}>
            {title}
          </button>
        ))}
      </nav>
      <p className="quiet">
        Figures beside an algorithm: environment steps of each agent, and time on {TARGET_MACHINE}, until its
        target score was reached.
      </p>
      {groups.map(({ name, title, tasks }) => (
        <Group key={name} name={name} title={title}>
          {tasks.map((task) => (
            <TaskCard key={task.environment} task={task} />
          ))}
        </Group>
      ))}
      <Group {...OWN_GROUP}>
        <OwnTaskCard />
      </Group>
    </div>
  );
}

function TaskCard({ task: { environment, text, recorded, templates: own } }: { readonly task: Task }) {
  const heading = useId();
  const { title, words } = taskTextOf(environment);
  const name = recorded ? `${title}, recorded` : title;
  const { pointed, handlers } = usePointed();
  return (
    <li className="card template task panel__body" aria-labelledby={heading} {...handlers}>
      <EnvironmentPicture environment={environment} text={text} pointed={pointed} />
      <div className="template__text">
        <h3 id={heading}>{name}</h3>
        <p className="quiet">
          {words} <code className="faint block">{environment}</code>
        </p>
      </div>
      <ul className="row whole-row" aria-label={`Algorithms for ${name}`}>
        {own.map((template) => {
          const { id, title, description } = template;
          const label = chipLabel(template, own);
          const time = TARGET_TIMES[id];
          return (
            <li key={id}>
              <a
                className="chip hovers"
                href={formatRoute(editorRoute({ kind: "template", id }))}
                aria-label={
                  time ? `${label} ${timeText(time)}: ${title}, ${timeWords(time)}` : `${label}: ${title}`
                }
                title={time ? `${description} ${title} ${timeWords(time)}.` : description}
              >
                {label} {time && <span className="dim task__time">{timeText(time)}</span>}
              </a>
            </li>
          );
        })}
      </ul>
    </li>
  );
}

type TargetTime = NonNullable<(typeof TARGET_TIMES)[string]>;

/** Short enough for a chip. */
const timeText = ({ steps, seconds }: TargetTime): string =>
  `${formatShort(steps)} steps each${seconds === null ? "" : `, ${formatDuration(seconds)}`}`;

const timeWords = ({ score, steps, seconds }: TargetTime): string =>
  `reached ${score} after ${formatCount(steps)} steps per agent${
    seconds === null ? "" : `, in ${formatDuration(seconds)} on ${TARGET_MACHINE}`
  }`;

/** Names of the algorithms that train one after another. */
const algorithmsOf = ({ manifest, stages = [{}] }: Template): string =>
  stages.map(({ algorithm = manifest.algorithm }) => algorithm.name).join(", ");

/** The algorithm's name; if several templates of a task share it, the title. */
function chipLabel(template: Template, all: readonly Template[]): string {
  const name = algorithmsOf(template);
  const alike = all.filter((other) => algorithmsOf(other) === name);
  return alike.length > 1 ? template.title : name;
}
