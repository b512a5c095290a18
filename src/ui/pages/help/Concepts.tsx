import { Button, LinkButton } from "../../components/Button.tsx";
import { Panel } from "../../components/Panel.tsx";
import { navigate } from "../../routes/navigation.ts";
import { runRoute, runsRoute } from "../../routes/route.ts";
import { useWorkbenchState } from "../../state/Workbench.ts";
import { startTour } from "../../tour/tour.ts";
import { DRAWINGS } from "./conceptDrawings.tsx";
import { CONCEPTS, type Concept } from "./conceptTexts.ts";

// Object.keys loses the type of the keys.
const NAMES = Object.keys(CONCEPTS) as Concept[];

/** Starts the tour on the newest run's page. */
function TourButton() {
  const runs = useWorkbenchState(({ list }) => list.runs);
  if (runs === null) return null;
  const newest = runs.toSorted((a, b) => b.created_at - a.created_at)[0];
  if (newest === undefined) return <LinkButton to={runsRoute}>Start a run to take the tour</LinkButton>;
  return (
    <Button
      onClick={() => {
        startTour();
        navigate(runRoute(newest.id));
      }}
    >
      Take the tour
    </Button>
  );
}

/** The words of evolution, each with a drawing. */
export function Concepts() {
  return (
    <Panel title="How a run evolves" head={<TourButton />}>
      <div className="panel__body">
        <div className="concepts">
          {NAMES.map((name) => (
            <section key={name} className="concept">
              {DRAWINGS[name]}
              <h3>{name}</h3>
              <p>{CONCEPTS[name]}</p>
            </section>
          ))}
        </div>
      </div>
    </Panel>
  );
}
