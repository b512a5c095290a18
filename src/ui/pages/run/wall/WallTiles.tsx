import type { CSSProperties, ReactNode } from "react";
import { tileGrid } from "../../../../stage/places.ts";
import { MutationMark } from "../../../components/marks.tsx";
import { useFitnessWord } from "../../../games/fitnessWord.tsx";
import { slotColour } from "../../../lib/drawing.ts";
import { formatScore } from "../../../lib/format.ts";
import { highlightHandlers, highlightMember, useHighlight } from "../../../state/highlight.ts";
import { ProtectedMark } from "../steering/SteeringMenu.tsx";
import { useCloneDrag } from "../steering/useCloneDrag.ts";
import { captionHeight } from "./useWall.ts";
import type { WallMember } from "./wallMembers.ts";

interface Props {
  readonly members: readonly WallMember[];
  /** Whether the stage moves the pictures, so that frames and captions would lie beside them. */
  readonly changing: boolean;
  readonly unable: ReadonlyMap<number, string>;
  /** Indices of the members that are protected from selection. */
  readonly protectedNow: ReadonlySet<number>;
  readonly width: number;
  readonly height: number;
  /** Renders the menu of actions on a member. */
  readonly menuOf: (member: WallMember) => ReactNode;
  readonly onOpen: (member: WallMember) => void;
  /** Whether members can be dragged onto others. */
  readonly clonable: boolean;
}

/** Tile width in CSS pixels below which the caption hides the rank. */
const NARROW = 84;

/** Captions and buttons on top of the pictures, as a list that screen readers can use. */
export function WallTiles({
  members,
  changing,
  unable,
  protectedNow,
  width,
  height,
  menuOf,
  onOpen,
  clonable,
}: Props) {
  const caption = captionHeight(members.length);
  const grid = tileGrid(members.length, width, height, caption);
  return (
    <ul
      className="wall__tiles cover"
      aria-label="Members playing"
      data-changing={changing}
      data-crowd={caption === 0}
    >
      {members.map((member, position) => {
        const place = grid.place(position);
        const style = { left: place.x, top: place.y, width: place.width, height: place.height + caption };
        return (
          <Place key={member.index} index={member.index} style={style} clonable={clonable}>
            <Tile
              member={member}
              of={members.length}
              narrow={place.width < NARROW}
              crowded={caption === 0}
              isProtected={protectedNow.has(member.index)}
              problem={unable.get(member.index) ?? null}
              onOpen={onOpen}
            />
            <div className="wall__menu">{menuOf(member)}</div>
          </Place>
        );
      })}
    </ul>
  );
}

interface PlaceProps {
  readonly index: number;
  readonly style: CSSProperties;
  readonly clonable: boolean;
  readonly children: ReactNode;
}

/** The place of a member's picture, from where and to where members are dragged. */
function Place({ index, style, clonable, children }: PlaceProps) {
  const drag = useCloneDrag(index, clonable);
  return (
    <li style={style} {...drag}>
      {children}
    </li>
  );
}

interface TileProps {
  readonly member: WallMember;
  readonly of: number;
  readonly narrow: boolean;
  /** Whether the tile is too small for a caption. */
  readonly crowded: boolean;
  readonly isProtected: boolean;
  readonly problem: string | null;
  readonly onOpen: (member: WallMember) => void;
}

function Tile({ member, of, narrow, crowded, isProtected, problem, onOpen }: TileProps) {
  const { index, colour, rank, fitness, tag, elite } = member;
  const isHighlighted = useHighlight((state) => state.member === index);
  const word = useFitnessWord();
  const rest = [
    ...(rank === null ? ["not evaluated yet"] : [`of ${of}, ${word} ${formatScore(fitness)}`]),
    ...(tag ? [`new: ${tag.text}`] : []),
    ...(problem === null ? [] : ["cannot play"]),
  ];
  return (
    <>
      <button
        type="button"
        className="wall__tile fill framed wide cropped"
        title={crowded ? `#${index}${tag ? `: ${tag.text}` : ""}` : tag?.text}
        data-best={elite}
        data-highlighted={isHighlighted}
        onClick={() => onOpen(member)}
        {...highlightHandlers(index)}
        onFocus={() => highlightMember(index)}
        onBlur={() => highlightMember(null)}
      >
        {problem !== null && <span className="wall__problem tiny bad grow sunken cropped">{problem}</span>}
        <span className={crowded ? "visually-hidden" : "wall__caption tiny soft cropped row"}>
          <span className="dot" style={{ background: slotColour(colour) }} />
          <span>
            <span className="visually-hidden">Member </span>#{index}
          </span>{" "}
          {isProtected && <ProtectedMark />}{" "}
          {rank !== null && (
            <span className={narrow ? "visually-hidden" : "wall__rank dim push"}>{ordinal(rank)}</span>
          )}{" "}
          <span className="visually-hidden">{rest.join(", ")}</span>
          {tag && (
            <>
              <span className="wall__mark push" aria-hidden="true">
                <MutationMark kind={tag.kind} />
              </span>
              <span key={index} className="wall__tag" aria-hidden="true">
                {tag.text}
              </span>
            </>
          )}
        </span>
      </button>
    </>
  );
}

const ENDINGS: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" };
const rules = new Intl.PluralRules("en", { type: "ordinal" });

const ordinal = (rank: number): string => `${rank}${ENDINGS[rules.select(rank)] ?? "th"}`;
