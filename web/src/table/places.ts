/**
 * Who stands where at the end: winners first, who resigned last, then by points and, where those are equal, by pieces
 * (R-END-2).
 */

import type { Result } from "../api/types";

export function seatsByPlace({ winners, scores, resigned }: Result): number[] {
  const won = (seat: number): number => Number(winners.includes(seat));
  const stayed = (seat: number): number => Number(!resigned.includes(seat));
  return scores
    .map((_, seat) => seat)
    .sort(
      (a, b) =>
        won(b) - won(a) ||
        stayed(b) - stayed(a) ||
        scores[b]!.total - scores[a]!.total ||
        scores[b]!.pieces - scores[a]!.pieces,
    );
}
