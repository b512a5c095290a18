import { createContext, useContext } from "react";
import { type RunRoute, runRoute } from "../../routes/route.ts";

export const RunRouteContext = createContext<RunRoute>(runRoute(""));

/** The route of the open run, with all of its view state. */
export const useRunRoute = (): RunRoute => useContext(RunRouteContext);
