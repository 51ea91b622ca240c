/** What shows the talk of a table: fetched together, where there is any. */

import TalkBox from "./TalkBox.svelte";
import TalkButton from "./TalkButton.svelte";
import { Talking } from "./talking.svelte";

export { TalkBox, TalkButton, Talking };
