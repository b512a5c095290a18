import { type ReactNode, useId } from "react";

interface RegionProps {
  readonly label: string;
  readonly className?: string;
  /** Maximum height; the rest scrolls. */
  readonly height?: string | undefined;
  readonly children: ReactNode;
}

/** A scrollable region for oversized content, which the keyboard can scroll too. */
export function ScrollRegion({ label, className, height, children }: RegionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys scroll what has the focus
    <section className={className} style={{ maxHeight: height }} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

/** The heading of a column, which also identifies the column. */
export interface ColumnHead {
  readonly head: string;
  /** Shown instead of the text of the heading. */
  readonly label?: ReactNode;
  /** Whether the heading is only for screen readers. */
  readonly hidden?: boolean;
  /** A tooltip. */
  readonly hint?: string | undefined;
  /** Whether the column is numeric, and thus right-aligned. */
  readonly number?: boolean;
  /** The order by this column; absent if the table is not sorted by it. */
  readonly sorted?: "ascending" | "descending" | "none" | undefined;
}

/** The header row of a table. */
export function TableHead({ columns }: { readonly columns: readonly ColumnHead[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ head, label = head, hidden, hint, number, sorted }) => (
          <th
            key={head}
            scope="col"
            className={number ? "number" : undefined}
            title={hint}
            aria-sort={sorted}
          >
            {hidden ? <span className="visually-hidden">{head}</span> : label}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface FrameProps {
  /** Name of the region around the table, which the keyboard can scroll; without a name, it cannot. */
  readonly label?: string;
  readonly columns: readonly ColumnHead[];
  /** Further classes of the table. */
  readonly className?: string;
  /** Further classes of the region. */
  readonly region?: string;
  /** Maximum height of the region; the header row stays in view while the rest scrolls. */
  readonly height?: string;
  /** Whether other rows are loading. */
  readonly busy?: boolean;
  /** Content of the region below the table. */
  readonly below?: ReactNode;
  /** The bodies of the table. */
  readonly children: ReactNode;
}

/** A table in a region that scrolls, for rows that are components of their own. */
export function TableFrame({ label, columns, className, region, height, busy, below, children }: FrameProps) {
  const classes = ["table-scroll", height && "table-scroll--tall", region].filter(Boolean).join(" ");
  const content = (
    <>
      <table className={className ? `table ${className}` : "table"} aria-busy={busy}>
        <TableHead columns={columns} />
        {children}
      </table>
      {below}
    </>
  );
  if (label === undefined) return <div className={classes}>{content}</div>;
  return (
    <ScrollRegion label={label} className={classes} height={height}>
      {content}
    </ScrollRegion>
  );
}

/** A column of a table with rows of type `R`. */
export interface Column<R> extends ColumnHead {
  /** @param name Id of the row's first cell, which names the row for screen readers. */
  readonly cell: (row: R, position: number, name: string) => ReactNode;
  /** Further classes of a cell. */
  readonly classOf?: (row: R) => string;
  /** The tooltip of a cell. */
  readonly titleOf?: (row: R) => string | undefined;
}

interface Props<R> extends Omit<FrameProps, "columns" | "children"> {
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R, position: number) => string | number;
  readonly rowClass?: (row: R) => string | undefined;
}

/** A table of rows with typed columns. The first column names the row. */
export function Table<R>({ columns, rows, keyOf, rowClass, ...frame }: Props<R>) {
  const id = useId();
  return (
    <TableFrame columns={columns} {...frame}>
      <tbody>
        {rows.map((row, position) => (
          <tr key={keyOf(row, position)} className={rowClass?.(row)}>
            {columns.map(({ head, number, cell, classOf, titleOf }, at) => {
              const name = `${id}-${position}`;
              if (at === 0)
                return (
                  <th key={head} scope="row" id={name}>
                    {cell(row, position, name)}
                  </th>
                );
              const className = [number && "number", classOf?.(row)].filter(Boolean).join(" ");
              return (
                <td key={head} className={className || undefined} title={titleOf?.(row)}>
                  {cell(row, position, name)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
