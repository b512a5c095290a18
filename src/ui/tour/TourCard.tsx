import { type CSSProperties, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Button } from "../components/Button.tsx";
import { wantsStillness } from "../stage/stageSettings.ts";
import { endTour, showTourStep, useTour } from "./tour.ts";
import { TOUR_STEPS } from "./tourSteps.ts";
import "./Tour.css";

/** Room between the part and the card, and between the card and the edge of the window, CSS pixels. */
const [GAP, EDGE] = [8, 8] as const;

/** Keys of the page that close something else first. */
const OTHERS = "[role=dialog], [role=alertdialog], dialog[open], [role=menu]";

/** The part that a step explains; null if the page has none. */
const partOf = (step: number): HTMLElement | null =>
  document.querySelector<HTMLElement>(TOUR_STEPS[step]?.part ?? "none");

function unmark(part: HTMLElement | null): void {
  if (part) delete part.dataset.tour;
}

/** The next step from a position, in a direction, whose part is on the page; null for none. */
function stepFrom(at: number, way: 1 | -1): number | null {
  for (let step = at; TOUR_STEPS[step] !== undefined; step += way) if (partOf(step) !== null) return step;
  return null;
}

/** Below a part, or above it if there is no room below, or else over its lower end. In coordinates of the document. */
function placeBeside(part: Element, card: HTMLElement): CSSProperties {
  const { left, top, bottom } = part.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const { offsetWidth, offsetHeight } = card;
  const most = clientHeight - offsetHeight - EDGE;
  const below = bottom + GAP;
  const above = top - offsetHeight - GAP;
  const y = below <= most ? below : above >= EDGE ? above : most;
  const x = Math.max(EDGE, Math.min(left, clientWidth - offsetWidth - EDGE));
  return { left: x + window.scrollX, top: y + window.scrollY };
}

/** A step of the tour beside the part that it explains. The page can be used as ever meanwhile. */
export function TourCard() {
  const wanted = useTour(({ step }) => step) ?? 0;
  const card = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [place, setPlace] = useState<CSSProperties>({});
  const title = useId();
  const step = TOUR_STEPS[wanted];

  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector(OTHERS) !== null) return;
      event.preventDefault();
      endTour();
    };
    window.addEventListener("keydown", hear);
    return () => window.removeEventListener("keydown", hear);
  }, []);
  useLayoutEffect(() => {
    const own = card.current;
    const first = partOf(wanted);
    if (first === null || own === null) {
      const next = stepFrom(wanted, 1) ?? stepFrom(wanted, -1);
      // A run may lack a part.
      if (next === null) endTour();
      else showTourStep(next);
      return undefined;
    }
    let marked: HTMLElement | null = null;
    const follow = (): void => {
      // A part may be replaced when its code has loaded.
      const part = partOf(wanted);
      if (part !== marked) {
        unmark(marked);
        marked = part;
        if (part) part.dataset.tour = "";
      }
      if (part) setPlace(placeBeside(part, own));
    };
    first.scrollIntoView({ block: "center", behavior: wantsStillness() ? "instant" : "smooth" });
    follow();
    heading.current?.focus({ preventScroll: true });
    const resized = new ResizeObserver(follow);
    resized.observe(document.body);
    window.addEventListener("scroll", follow, { passive: true });
    return () => {
      unmark(marked);
      resized.disconnect();
      window.removeEventListener("scroll", follow);
    };
  }, [wanted]);
  if (step === undefined) return null;
  const [before, next] = [stepFrom(wanted - 1, -1), stepFrom(wanted + 1, 1)];
  return createPortal(
    <section className="floating tour grid gap-2" ref={card} style={place} aria-labelledby={title}>
      <h2 id={title} ref={heading} tabIndex={-1}>
        <span className="quiet">
          Tour, {wanted + 1} of {TOUR_STEPS.length}
        </span>{" "}
        {step.title}
      </h2>
      <p>{step.text}</p>
      <div className="row tour__actions">
        {next !== null && (
          <Button small quiet onClick={endTour}>
            Skip
          </Button>
        )}
        {before !== null && (
          <Button small onClick={() => showTourStep(before)}>
            Back
          </Button>
        )}
        <Button small primary onClick={() => (next === null ? endTour() : showTourStep(next))}>
          {next === null ? "Done" : "Next"}
        </Button>
      </div>
    </section>,
    document.body,
  );
}
