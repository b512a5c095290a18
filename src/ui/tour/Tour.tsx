import { Button } from "../components/Button.tsx";
import { loadable } from "../lib/loadable.tsx";
import { declineTour, startTour, useTour } from "./tour.ts";

/** The steps, loaded when the tour begins. */
const LazyTourCard = loadable(async () => (await import("./TourCard.tsx")).TourCard);

/** The tour of a run's page: offered once, and shown while it runs. */
export function Tour() {
  const { step, offered } = useTour();
  if (step !== null) return <LazyTourCard />;
  if (!offered) return null;
  return (
    <aside className="callout" aria-label="Tour">
      <p>New here? Five short steps show what this page tells.</p>
      <Button small onClick={startTour}>
        Take the tour
      </Button>
      <Button small quiet onClick={declineTour}>
        No, thanks
      </Button>
    </aside>
  );
}
