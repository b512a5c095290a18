import { Plus } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Button } from "../../../components/Button.tsx";
import { SearchField, Segments } from "../../../components/controls.tsx";
import { PageHead } from "../../../components/PageHeading.tsx";
import { formatThings } from "../../../lib/format.ts";
import { EnvironmentPicture } from "../../../pictures/EnvironmentPicture.tsx";
import { usePointed } from "../../../pictures/usePointed.ts";
import { replaceRoute } from "../../../routes/navigation.ts";
import {
  builtInRoute,
  type EnvironmentsRoute,
  formatRoute,
  ownEnvironmentRoute,
} from "../../../routes/route.ts";
import { useKeptEnvironments } from "../../../state/kept.ts";
import { RobotDrop } from "../RobotDrop.tsx";
import { environmentGroups, KINDS, type ListedEnvironment } from "./listedEnvironments.ts";
import "./EnvironmentGallery.css";

const ALL = "all";
/** The user's own environments. */
const OWN = "own";
const CHOICES = { [ALL]: "All", [OWN]: "Yours", ...KINDS } as const;

interface CardProps {
  readonly href: string;
  readonly title: string;
  readonly picture: (pointed: boolean) => ReactNode;
  readonly children: ReactNode;
}

/** A card whose link covers all of it. */
function Card({ href, title, picture, children }: CardProps) {
  const text = useId();
  const { pointed, handlers } = usePointed();
  return (
    <li className="card environment-card relative" {...handlers}>
      {picture(pointed)}
      <div className="environment-card__text">
        <h3 className="environment-card__title medium">
          <a href={href} aria-describedby={text}>
            {title}
          </a>
        </h3>
        <p className="environment-card__facts quiet" id={text}>
          {children}
        </p>
      </div>
    </li>
  );
}

function BuiltInCard({
  environment: { id, title, words, facts },
}: {
  readonly environment: ListedEnvironment;
}) {
  return (
    <Card
      href={formatRoute(builtInRoute(id))}
      title={title}
      picture={(pointed) => <EnvironmentPicture environment={id} pointed={pointed} />}
    >
      {title !== id && <code className="faint block">{id}</code>}
      {words !== "" && <span className="block">{words}</span>}
      <span className="faint block">
        {facts.observes} → {facts.acts}
      </span>
    </Card>
  );
}

interface GroupProps {
  readonly title: string;
  readonly children: ReactNode;
}

function Group({ title, children }: GroupProps) {
  const heading = useId();
  return (
    <section className="stack" aria-labelledby={heading}>
      <h2 className="environment-cards__heading" id={heading}>
        {title}
      </h2>
      <ul className="environment-cards grid gap-4">{children}</ul>
    </section>
  );
}

/** The user's environments, and the card of a new one. */
function OwnCards({ search }: { readonly search: string }) {
  const kept = useKeptEnvironments(({ environments }) => environments) ?? [];
  const shown = kept.filter(({ id }) => id.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <Group title={CHOICES[OWN]}>
      <Card
        href={formatRoute(ownEnvironmentRoute())}
        title="New environment"
        picture={() => (
          <span className="picture">
            <Plus aria-hidden="true" />
          </span>
        )}
      >
        Write it as a class, from a CartPole on.
      </Card>
      {shown.map(({ name, id }) => (
        <Card
          key={name}
          href={formatRoute(ownEnvironmentRoute(name))}
          title={id}
          picture={() => <EnvironmentPicture environment={id} pointed={false} />}
        >
          Stored in this browser.
        </Card>
      ))}
    </Group>
  );
}

/** All environments as cards, which open their pages. */
export function EnvironmentGallery({ route }: { readonly route: EnvironmentsRoute }) {
  const { search, kind } = route;
  const shownKind = kind in CHOICES ? kind : "";
  const groups = environmentGroups(search, shownKind);
  const count = groups.reduce((sum, { environments }) => sum + environments.length, 0);
  const hasOwn = shownKind === "" || shownKind === OWN;
  return (
    <div className="page">
      <PageHead
        title="Environments"
        text="What agents train in. A card opens an environment, to play it by hand or at random. Its last line is what an agent sees → what it does."
      />
      <RobotDrop>
        <div className="row">
          <SearchField
            label="Find an environment"
            width="16rem"
            value={search}
            onChange={(words) => replaceRoute({ ...route, search: words })}
          />
          <div className="environment-kinds">
            <Segments
              label="Kind"
              options={CHOICES}
              value={shownKind === "" ? ALL : (shownKind as keyof typeof CHOICES)}
              onChange={(chosen) => replaceRoute({ ...route, kind: chosen === ALL ? "" : chosen })}
            />
          </div>
          <output className="quiet">{search !== "" && `${formatThings(count, "environment")} found.`}</output>
        </div>
        {hasOwn && <OwnCards search={search} />}
        {groups.map(({ kind: own, environments }) => (
          <Group key={own} title={KINDS[own]}>
            {environments.map((environment) => (
              <BuiltInCard key={environment.id} environment={environment} />
            ))}
          </Group>
        ))}
        {count === 0 && shownKind !== OWN && (
          <div className="empty">
            <p>No matching environments.</p>
            <Button onClick={() => replaceRoute({ ...route, search: "", kind: "" })}>Show all</Button>
          </div>
        )}
      </RobotDrop>
    </div>
  );
}
