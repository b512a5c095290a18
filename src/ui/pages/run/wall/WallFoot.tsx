import { formatCount, formatScore } from "../../../lib/format.ts";
import { formatRoute } from "../../../routes/route.ts";
import { TheatreLegend } from "../../../theatre/TheatreLegend.tsx";
import { useRunRoute } from "../shownGeneration.tsx";
import type { WallMember } from "./wallMembers.ts";

/** Who plays, in words: copies, mutations and the champion. */
export function wallText(members: readonly WallMember[]): string {
  const copies = members.filter(({ tag }) => tag !== null).length;
  const mutated = members.filter(({ tag }) => tag !== null && tag.kind !== "none").length;
  const champion = members.find(({ elite }) => elite);
  const generation = members[0]?.file.generation ?? 0;
  if (champion === undefined) return `${formatCount(members.length)} untrained members.`;
  const change =
    copies === 0 ? "" : ` ${copies} of ${members.length} are new copies, ${mutated} of them mutated.`;
  const best = `Champion: #${champion.index} with ${formatScore(champion.fitness)}.`;
  return `Generation ${formatCount(generation)}. ${best}${change}`;
}

interface Props {
  readonly members: readonly WallMember[];
  /** Number of members that the run has. */
  readonly population: number;
}

/** The wall's text summary and legend. */
export function WallFoot({ members, population }: Props) {
  const route = useRunRoute();
  const hasStory = members.some(({ elite }) => elite);
  return (
    <div className="row quiet wall__foot small">
      <p>
        {wallText(members)}
        {members.length < population && " Only the champion of this generation was kept."}{" "}
        {hasStory && <a href={formatRoute({ ...route, tab: "lineage" })}>How it came about</a>}
      </p>
      <TheatreLegend />
    </div>
  );
}
