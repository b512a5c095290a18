import { lazy } from "react";

export const loadChart = () => import("./FitnessChart.tsx");

/** The chart, whose library is larger than the rest of the page. */
export const FitnessChart = lazy(async () => ({ default: (await loadChart()).FitnessChart }));
