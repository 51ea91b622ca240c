import { afterEach, expect, it, vi } from "vitest";
import { Storage } from "./storage";

afterEach(() => vi.unstubAllGlobals());

it("a database that the browser closes is told of", async () => {
  const database: { onclose?: () => void } = {};
  const opening: { result: object; onsuccess?: () => void } = { result: database };
  vi.stubGlobal("indexedDB", { open: () => opening });
  const lost = vi.fn();
  const stored = Storage.open(lost);
  opening.onsuccess?.();
  await stored;
  expect(lost).not.toHaveBeenCalled();
  database.onclose?.();
  expect(lost).toHaveBeenCalledExactlyOnceWith("device_stopped");
});
