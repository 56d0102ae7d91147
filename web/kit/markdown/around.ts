/** What a node has to know about the text it is in. */
export interface Around {
  /** Unique on the page. */
  readonly id: string;
  /** The level on the page of each of the six heading levels. */
  readonly levels: string;
  /** Labels of footnotes; the position is the number. */
  readonly notes: readonly string[];
  /** The address a link may have, or undefined. */
  readonly hrefOf: (target: string) => string | undefined;
}
