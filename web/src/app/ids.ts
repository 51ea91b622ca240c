/**
 * An id nobody can guess. `crypto.randomUUID` exists only where the page came over https; friends in the same house
 * use http.
 */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
