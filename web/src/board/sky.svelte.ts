/** Where light comes from, for everything that is drawn. */
class Sky {
  light = $state.raw({ x: 0.7, y: -0.5 });
}

export const sky = new Sky();
