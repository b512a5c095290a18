import { formatCount } from "../../lib/format.ts";
import { useRunRoute } from "./runRouteContext.ts";

interface Props {
  /** The generation that the view shows, if it cannot show the one that the user chose. */
  readonly shown?: number | undefined;
  /** Whether the view shows everything up to the generation. */
  readonly upTo?: boolean;
}

/** Says in a view's heading which generation it shows, while that is not the newest one. */
export function GenerationNote({ shown, upTo = false }: Props) {
  const { generation: wanted } = useRunRoute();
  if (wanted === null) return null;
  const isOther = shown !== undefined && shown !== wanted;
  return (
    <span className="panel__note">
      {upTo && "up to "}generation {formatCount(shown ?? wanted)}
      {isOther && ` (generation ${formatCount(wanted)} is not stored)`}
    </span>
  );
}
