/** A table as it was: looked at through the replay's frames, and nothing can be done at it. */

import { TableApi } from "../api/client";

export class PastTable extends TableApi {
  override readonly isCopy = true;

  constructor(of: TableApi) {
    super(of.house, of.house.transport, of.table, of.token);
  }
}
