import { beforeEach, expect, test, vi } from "vitest";
import { isPending, wishAnswered, wishFor } from "./wish";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

test("a wish is sent again under the same id until it is answered", () => {
  expect(isPending("table", "invite")).toBe(false);
  const id = wishFor("table", "invite");
  expect(isPending("table", "invite")).toBe(true);
  expect(id).toMatch(/^[A-Za-z0-9_-]{22,64}$/);
  expect(wishFor("table", "invite")).toBe(id);
  wishAnswered();
  expect(isPending("table", "invite")).toBe(false);
  expect(wishFor("table", "invite")).not.toBe(id);
});

test("wishes for other seats have other ids", () => {
  const id = wishFor("table", "invite");
  expect(wishFor("table", "other")).not.toBe(id);
  expect(wishFor("elsewhere", "invite")).not.toBe(id);
});

test("what is no wish is not one", () => {
  localStorage.setItem("sunglade.wish", '{"place": "table#invite", "id": 7}');
  expect(wishFor("table", "invite")).toMatch(/^[0-9a-f]{32}$/);
});
