/** How much of what a device needs to keep tables has come, 0 … 1, while it is being fetched. */
class Starting {
  share: number | undefined = $state();
  /** The device keeps tables, for the first time since the page was opened. */
  ready: () => void = () => undefined;
  readonly whenReady = new Promise<void>((resolve) => (this.ready = resolve));
}

export const starting = new Starting();
