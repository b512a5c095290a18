import { LineageSwatch } from "../../../components/marks.tsx";
import { NONE } from "../../../lib/format.ts";
import { formatRoute, type RunTab } from "../../../routes/route.ts";
import type { LineageColours } from "../../../series/lineageColours.ts";
import { useRunRoute } from "../shownGeneration.tsx";

interface Props {
  /** The member's index; null if it is unknown. */
  readonly member: number | null;
  readonly colours: LineageColours;
  /** Defaults to the open tab. */
  readonly tab?: RunTab;
}

/** A link to a member in a view of the run. */
export function MemberLink({ member, colours, tab }: Props) {
  const route = useRunRoute();
  if (member === null) return NONE;
  return (
    <a href={formatRoute({ ...route, tab: tab ?? route.tab, member })}>
      <LineageSwatch colour={colours.of(member)} /> #{member}
    </a>
  );
}
