/** How much of what a device needs to keep tables has come, 0 … 1, while it is being fetched. */
class Starting {
  share: number | undefined = $state();
}

export const starting = new Starting();
