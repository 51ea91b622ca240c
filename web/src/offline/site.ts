/** What the service worker is told: by whoever wrote the site, and by pages. */

export interface Site {
  /** Another one for other files. */
  readonly version: string;
  /** The SHA-256 of the page; null where a server writes it anew for everybody who asks. */
  readonly page: string | null;
  /** Whether a server stands behind: then the page is its own, as long as it can be reached. */
  readonly served: boolean;
  /** All that is needed without a network, from the page's own address; nothing where the site is no app. */
  readonly files: readonly string[];
  /** What is kept once there is time. */
  readonly later: readonly string[];
}

/** “take over” from the version in use; “tidy” up after a page has been opened. */
export interface ToOffline {
  readonly kind: "take over" | "tidy";
}
