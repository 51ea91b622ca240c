/**
 * A bot's values of a position as chances. With more than two players a value also counts how far one is ahead, so that
 * values need not add up to one: shown are their shares.
 */
export function chancesOf(values: readonly number[]): number[] {
  const all = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => (all > 0 ? value / all : 1 / values.length));
}
