import type { ReactNode } from "react";
import { documentationAddress } from "../lib/documentation.ts";

interface Props {
  /** The page's address in the documentation, such as "evolution.html". */
  readonly page: string;
  readonly children: ReactNode;
}

/** A link to a page of the documentation, in a tab of its own, because runs train in this one; nothing where there is none. */
export function DocumentationLink({ page, children }: Props) {
  const address = documentationAddress(page);
  return (
    address && (
      <a href={address} target="_blank" rel="noreferrer">
        {children}
      </a>
    )
  );
}
