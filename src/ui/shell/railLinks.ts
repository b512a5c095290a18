import {
  CircleHelp,
  Database,
  GitCompareArrows,
  HardDrive,
  type LucideIcon,
  Plus,
  Rows3,
  Server,
  Settings,
  Shapes,
} from "lucide-react";
import { isRemoteRun } from "../../workers/pages.ts";
import {
  compareRoute,
  dataRoute,
  editorRoute,
  environmentsRoute,
  type Route,
  runsRoute,
} from "../routes/route.ts";

interface RailLink {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly route: Route;
  /** Pages for which the link is marked as current. */
  readonly pages: readonly Route["page"][];
}

/** The navigation links, in order. */
export const railLinks: readonly RailLink[] = [
  { label: "Runs", icon: Rows3, route: runsRoute, pages: ["runs", "run"] },
  { label: "New run", icon: Plus, route: editorRoute(), pages: ["editor"] },
  { label: "Compare", icon: GitCompareArrows, route: compareRoute(), pages: ["compare"] },
  { label: "Data", icon: Database, route: dataRoute(), pages: ["data"] },
  { label: "Environments", icon: Shapes, route: environmentsRoute, pages: ["environments"] },
  { label: "Remote", icon: Server, route: { page: "remote" }, pages: ["remote"] },
  { label: "Storage", icon: HardDrive, route: { page: "storage" }, pages: ["storage", "chat"] },
  { label: "Settings", icon: Settings, route: { page: "settings" }, pages: ["settings"] },
  { label: "Help", icon: CircleHelp, route: { page: "help" }, pages: ["help"] },
];

/** Label of the link that a route belongs to; undefined if there is none. */
export function linkOf(route: Route): string | undefined {
  const page = route.page === "run" && isRemoteRun(route.id) ? "remote" : route.page;
  return railLinks.find(({ pages }) => pages.includes(page))?.label;
}
