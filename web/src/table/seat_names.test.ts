import { describe, expect, it } from "vitest";
import type { SeatView } from "../api/types";
import { calledAt, seatNames } from "./seat_names";

function seats(...given: Partial<SeatView>[]): { seats: SeatView[] } {
  return { seats: given.map((one, seat) => ({ seat, kind: "person", name: null, ...one }) as SeatView) };
}

describe("names of seats", () => {
  it("calls people and bots by the names that everybody sees", () => {
    const table = seats({ name: "Ada" }, { kind: "bot", name: "Pim", level: "sapling" }, { kind: "open" });
    expect(seatNames(table)).toEqual(["Ada", "Pim", "Nobody yet"]);
  });

  it("calls who gave no name by the species of the seat, also after a rematch moved everybody on", () => {
    expect(seatNames(seats({}, { name: "Ben" }))).toEqual(["Spruce", "Ben"]);
    expect(seatNames(seats({ name: "Ben" }, {}))).toEqual(["Ben", "Poplar"]);
  });

  it("calls nobody empty in a game that was played", () => {
    expect(calledAt({ seat: 2, name: null })).toBe("Maple");
  });
});
