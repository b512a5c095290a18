import { Legend, LegendEntry } from "../../../components/marks.tsx";
import { useFitnessWord } from "../../../games/fitnessWord.tsx";
import { formatCount, formatScore } from "../../../lib/format.ts";
import { formatRoute } from "../../../routes/route.ts";
import { TheatreLegend } from "../../../theatre/TheatreLegend.tsx";
import { useRunRoute } from "../shownGeneration.tsx";
import type { WallCopies } from "./wallCopies.ts";
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

/** Whose copies play, and what is pale. */
function copiesText({ champion, shown, perturbations, sigma }: WallCopies): string {
  const all = shown === perturbations ? "" : ` of ${formatCount(perturbations)}`;
  return (
    `${formatCount(shown)}${all} copies of #${champion.index} after generation ${formatCount(champion.file.generation)}: ` +
    `its weights plus noise (sigma ${formatScore(sigma)}), as an iteration draws them. They take their best actions. ` +
    "The lower a copy's return in its last episode here, the paler it is."
  );
}

interface Props {
  readonly members: readonly WallMember[];
  /** The copies that play in their place; null for none. */
  readonly copies: WallCopies | null;
  /** Number of members that the run has. */
  readonly population: number;
}

/** The wall's text summary and legend. */
export function WallFoot({ members, copies, population }: Props) {
  const route = useRunRoute();
  const word = useFitnessWord();
  if (copies)
    return (
      <div className="row quiet wall__foot small">
        <p>{copiesText(copies)}</p>
        <Legend small>
          <LegendEntry of="ramp">return on this wall, low to high</LegendEntry>
        </Legend>
      </div>
    );
  const hasStory = members.some(({ elite }) => elite);
  return (
    <div className="row quiet wall__foot small">
      <p>
        {wallText(members)}
        {word === "rating" && " Each member plays both sides."}
        {members.length < population && " Only the champion of this generation was kept."}{" "}
        {hasStory && <a href={formatRoute({ ...route, tab: "lineage" })}>How it came about</a>}
      </p>
      <TheatreLegend />
    </div>
  );
}
