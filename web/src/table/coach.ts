/** Whoever looks on while somebody learns: what is done at a table is theirs to allow. */
export interface Coach {
  /** A space was pointed at; true where that was all that was asked for. */
  hasSeen(space: string): boolean;
  /** Whether an action may be done; where not, why has been said. */
  lets(line: string): boolean;
  did(line: string): void;
  /** Instead of taking something back. */
  startAgain(): void;
}
