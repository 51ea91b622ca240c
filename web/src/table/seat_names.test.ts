import { describe, expect, it } from "vitest";
import type { SeatView, TableView } from "../api/types";
import { seatNames } from "./seat_names";

function table(...seats: Partial<SeatView>[]): Pick<TableView, "seats"> {
  return { seats: seats as SeatView[] };
}

describe("names of seats", () => {
  it("tells bots of one level apart by their species", () => {
    const names = seatNames(table({ name: "Ada" }, { level: "sapling" }, { level: "sapling" }, { level: "sapling" }));
    expect(new Set(names).size).toBe(4);
    expect(names[0]).toBe("Ada");
  });

  it("leaves a single bot its level, and people their names", () => {
    const [ada, other, bot] = seatNames(table({ name: "Ada" }, { name: "Ada" }, { level: "sapling" }));
    expect([ada, other]).toEqual(["Ada", "Ada"]);
    expect(bot).not.toContain("(");
  });
});
