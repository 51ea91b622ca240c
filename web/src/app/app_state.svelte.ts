/** What a page that can be an app has to tell; set by what is fetched later (`keeping/offline.ts`). */
class AppState {
  /** Goes over to a new version that is there, whole. */
  update: (() => void) | undefined = $state.raw();
  /** Asks the browser to install the page as an app, where it offers that. */
  install: (() => Promise<void>) | undefined = $state.raw();
}

export const appState = new AppState();
