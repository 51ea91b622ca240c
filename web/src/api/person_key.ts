/** Who this browser is at its server: a secret of which the server keeps only a hash. It never goes into an address. */

/** The id stays the same until the server has answered with the key: asked for again, it is the same person. */
interface Kept {
  readonly id: string;
  readonly key?: string;
}

const KEY = "sunglade.person";

function kept(): Kept | undefined {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "");
    return isKept(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

function isKept(value: unknown): value is Kept {
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";
}

function keep(what: Kept | undefined): void {
  try {
    if (what === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(what));
  } catch {
    // a browser that keeps nothing is nobody in particular
  }
}

export function personKey(): string | undefined {
  return kept()?.key;
}

/** The id to become somebody with: the one that was sent before and not answered, else a new one. */
export function personId(fresh: () => string): string {
  const found = kept();
  if (found !== undefined && found.key === undefined) return found.id;
  const id = fresh();
  if (found === undefined) keep({ id });
  return id;
}

export function keepPersonKey(id: string, key: string): void {
  keep({ id, key });
}

/** The key opens nobody any more. */
export function dropPersonKey(): void {
  keep(undefined);
}
