/** Whom this browser does not want to hear: seats at tables. It stays here; nobody is told. */

const KEY = "sunglade.muted";
const MOST = 200;

function kept(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

export function mutedAt(table: string): ReadonlySet<number> {
  const mine = kept().filter((one) => one.startsWith(`${table} `));
  return new Set(mine.map((one) => Number(one.slice(table.length + 1))));
}

export function mute(table: string, seat: number, muted: boolean): void {
  const one = `${table} ${seat}`;
  const others = kept().filter((other) => other !== one);
  try {
    localStorage.setItem(KEY, JSON.stringify((muted ? [one, ...others] : others).slice(0, MOST)));
  } catch {
    // a browser that keeps nothing mutes until the page is closed
  }
}
