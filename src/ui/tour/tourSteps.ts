/** A part of a run's page, and what there is to see. */
interface TourStep {
  /** Selector of the part. */
  readonly part: string;
  readonly title: string;
  readonly text: string;
}

/** The steps in their order. A run may lack some of the parts. */
export const TOUR_STEPS: readonly TourStep[] = [
  {
    part: '[aria-label="Population playing"]',
    title: "The population",
    text: "All members play here at once. After each generation the worst fall away, and the best get copies with small changes.",
  },
  {
    part: ".scrubber",
    title: "The generations",
    text: "Drag to any generation, or press [ and ]. Every view of this page then shows that generation; the right end follows the run.",
  },
  {
    part: ".panel.fitness",
    title: "The curves",
    text: "Each line is a line of descent, each dot an episode of training. The champion has a colour of its own, the target another.",
  },
  {
    part: '.run-tabs a[href*="tab=lineage"]',
    title: "The family tree",
    text: "Lineage shows who descends from whom, and where each mutation happened. A click on an agent compares it with its parent.",
  },
  {
    part: ".wall__foot a",
    title: "How this one won",
    text: "This link tells the champion's story in sentences that follow from the run's numbers. Each one links to its evidence.",
  },
];
